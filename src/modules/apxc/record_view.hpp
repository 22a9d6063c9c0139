#pragma once
// APXC records: the machine in the header, a router's location and counters in each perf record. The original has
// no listing of them; the names of what is not a counter are ours.

#include "modules/apxc/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::apxc {

inline constexpr std::array<std::string_view, 4> kLocationLines = {"APXC_GROUP", "APXC_CHASSIS", "APXC_BLADE",
                                                                   "APXC_NODE"};
static_assert(std::size(kFields) == kLocationLines.size());

inline void header_values(const std::byte* record, ValueSink& sink) {
  sink.integer("APXC_NBLADES", load<std::int64_t>(record + kBladesAt));
  sink.integer("APXC_NCHASSIS", load<std::int64_t>(record + kChassisCountAt));
  sink.integer("APXC_NGROUPS", load<std::int64_t>(record + kGroupsAt));
  sink.integer("APXC_MEMORY_MODE", load<std::int64_t>(record + kMemoryModeAt));
  sink.integer("APXC_CLUSTER_MODE", load<std::int64_t>(record + kClusterModeAt));
  sink.natural("APXC_APPID", load<std::uint64_t>(record + kAppIdAt));
}

inline void values(Bytes record, RecordViewState& /*state*/, ValueSink& sink) {
  if (autoperf::is_header<kMagic>(record.data())) return header_values(record.data(), sink);
  for (std::size_t i = 0; i < kLocationLines.size(); ++i) {
    sink.integer(kLocationLines[i], load<std::int64_t>(record.data() + kFields[i].offset));
  }
  list_slots<kSchema>(record.data(), sink);
}

inline constexpr Counter kAlso[] = {
    {"APXC_NBLADES", Unit::kNone, Fold::kKeep, "blades the job ran on"},
    {"APXC_NCHASSIS", Unit::kNone, Fold::kKeep, "chassis the job ran in"},
    {"APXC_NGROUPS", Unit::kNone, Fold::kKeep, "groups the job ran in"},
    {"APXC_MEMORY_MODE", Unit::kMode, Fold::kKeep, "how the nodes use their fast memory"},
    {"APXC_CLUSTER_MODE", Unit::kMode, Fold::kKeep, "how the nodes' cores are clustered"},
    {"APXC_APPID", Unit::kId, Fold::kKeep, "the system's number for this application", {}, Kind::kUint},
    {kLocationLines[0], Unit::kNone, Fold::kKeep, kFields[0].help},
    {kLocationLines[1], Unit::kNone, Fold::kKeep, kFields[1].help},
    {kLocationLines[2], Unit::kNone, Fold::kKeep, kFields[2].help},
    {kLocationLines[3], Unit::kNone, Fold::kKeep, kFields[3].help},
};
inline constexpr RecordView kRecordView = {.values = values, .also = kAlso};

}  // namespace trikal::modules::apxc
