#pragma once
// What two logs say of their jobs.

#include "analyze/compare/compare.hpp"

namespace trikal::analyze {

// True if anything differs.
bool compare_jobs(const log::Job& a, const log::Job& b, const CompareOptions& options, DifferenceSink& sink);

}  // namespace trikal::analyze
