#pragma once
// The section "segment_threads": which thread made each segment of a trace. Released Darshan refuses traces
// whose segments carry the thread, so they are written without, and this keeps it. A row is a run of segments.

#include <array>

#include "log/trailer/format.hpp"

namespace trikal::log {

inline constexpr std::array<Column, 5> kSegmentThreadColumns = {{
    {"module", ColumnType::kU64, "", "id of the trace's module"},
    {"record", ColumnType::kU64, "", "which record of the module, counted from 0 in the order of the log"},
    {"first", ColumnType::kU64, "", "first segment of the run, writes before reads"},
    {"count", ColumnType::kU64, "", "segments in the run"},
    {"thread", ColumnType::kU64, "", "the thread, as pthread_self named it; runs of unknown threads are left out"},
}};
inline constexpr SectionSchema kSegmentThreadsSection = {"segment_threads", "threads of traced accesses",
                                                         kSegmentThreadColumns};

}  // namespace trikal::log
