#pragma once
// BG/Q records belong to no file; most logs give them no name.

#include "schema/record_view.hpp"

namespace trikal::modules::bgq {

inline constexpr RecordView kRecordView = {.nameless = "darshan-bgq-record"};

}  // namespace trikal::modules::bgq
