#pragma once
// MDHIM records: the counters, then what each server got. A store without servers has space for one on disk,
// and nothing to say about it.

#include <algorithm>

#include "modules/mdhim/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::mdhim {

inline void values(Bytes record, RecordViewState& /*state*/, ValueSink& sink) {
  list_slots<kSchema>(record.data(), sink);
  const auto servers = std::max<std::int64_t>(0, load<std::int64_t>(record.data() + kServersAt));
  NumberedName server("MDHIM_SERVER_");
  for (std::int64_t i = 0; i < servers; ++i) {
    sink.integer(server(static_cast<std::uint64_t>(i)), load<std::int64_t>(record.data() + kHeadBytes + 8 * i));
  }
}

inline constexpr Counter kAlso[] = {
    {"MDHIM_SERVER_#", Unit::kCalls, Fold::kSum, "puts and gets that went to this server"},
};
inline constexpr RecordView kRecordView = {.values = values, .also = kAlso};

}  // namespace trikal::modules::mdhim
