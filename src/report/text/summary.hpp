#pragma once
// A run on one screen.

#include "analyze/rules/rule.hpp"
#include "report/json/run_data.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_summary(Sink& out, const analyze::Run& run, std::span<const analyze::Finding> findings,
                   const LogFacts& facts);

}  // namespace trikal::report
