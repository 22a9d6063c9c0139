#pragma once
// How a log says that it is a prediction, and of what it speaks. Whoever writes such a log puts one row here for each
// counter; a comparison with a run then needs no list of its own.

#include <array>
#include <string_view>

#include "log/trailer/format.hpp"

namespace trikal::analyze {

inline constexpr std::string_view kPredictedKey = "trikal_predicted";  // in the job's metadata, "1"
// Ranks that were looked at, with commas between; not there where all of them were.
inline constexpr std::string_view kPredictedRanksKey = "trikal_predicted_ranks";

inline constexpr std::array<log::Column, 3> kPredictedCounterColumns = {{
    {"module", log::ColumnType::kText, "", "the module, also where no record of it is in the log"},
    {"counter", log::ColumnType::kText, "", "what a prediction says as a run would; a # stands for each of its kind"},
    {"unless", log::ColumnType::kText, "",
     "modules, with commas between: of files that these have, too, the calls are a library's and not predicted"},
}};
inline constexpr log::SectionSchema kPredictedCountersSection = {
    "predicted_counters", "counters that this prediction speaks of; times are estimates and not among them",
    kPredictedCounterColumns};

}  // namespace trikal::analyze
