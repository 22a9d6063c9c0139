#pragma once
// No runtime writes NULL records, so one in a log is somebody's experiment: decoded like any other, listed by
// nobody. The original's tools have no handler for them either.

#include "schema/record_view.hpp"

namespace trikal::modules::null {

inline constexpr RecordView kRecordView = {.hidden = true};

}  // namespace trikal::modules::null
