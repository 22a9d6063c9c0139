#pragma once
// Words for a prediction that was compared with a run.

#include <string>
#include <vector>

#include "analyze/compare/compare.hpp"

namespace trikal::report {

// What was left out in one line, then what else a reader should know.
[[nodiscard]] std::vector<std::string> prediction_notes(const analyze::PredictionScope& scope,
                                                        const analyze::PredictionCounts& counts);
// One or two sentences: how much was compared, and how much of it is right.
[[nodiscard]] std::string prediction_verdict(const analyze::PredictionScope& scope,
                                             const analyze::CompareResult& result);

}  // namespace trikal::report
