#pragma once
// A rank of a job, made up, for tests of what ranks send each other.

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "capture/reduce/rank_survey.hpp"
#include "modules/heatmap/rebin.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"
#include "support/map_builder.hpp"

namespace trikal::capture {

using log::crash::ChunkKind;
using log::crash::MapView;
using log::crash::Process;
using modules::posix::kSchema;
using trikal::testing::MapBuilder;
using trikal::testing::slot_bytes;
using PosixRecord = LiveRecord<kSchema>;

inline const Observers& observers() {
  static constexpr Timeline kTimeline = {modules::heatmap::survey, modules::heatmap::rebin_into};
  static constexpr ModuleHooks kHooks[] = {{.schema = &kSchema},
                                           {.schema = &modules::heatmap::kSchema, .timeline = &kTimeline}};
  static const Observers all(kHooks);
  return all;
}

inline PosixRecord record_of(std::uint64_t id, std::int64_t bytes, double time) {
  PosixRecord record;
  record.set_base({id, 0});
  record.at<"POSIX_OPENS">() = 1;
  record.at<"POSIX_BYTES_WRITTEN">() = bytes;
  record.set_real<"POSIX_F_WRITE_TIME">(time);
  return record;
}

// A rank with a record and a name for each id.
class Rank {
 public:
  Rank(std::int64_t rank, const std::vector<std::uint64_t>& ids) : rank_(rank) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    for (const std::uint64_t id : ids) {
      const auto record =
          record_of(id, static_cast<std::int64_t>(random() % 1000), 0.25 * static_cast<double>(random() % 9));
      map_.add_one(ChunkKind::kRecords, kSchema.id, slot_bytes(record));
    }
    const std::size_t names =
        map_.add_chunk({.kind = ChunkKind::kNames, .slots = 64 * static_cast<std::uint32_t>(ids.size() + 1)});
    for (const std::uint64_t id : ids) map_.add_name(names, id, "/data/" + std::to_string(id));
  }
  MapBuilder& map() { return map_; }
  Process process() {
    view_.emplace(*MapView::open(map_.bytes()));
    return {&*view_, rank_, 0};
  }

 private:
  std::int64_t rank_;
  MapBuilder map_;
  std::optional<MapView> view_;
};

}  // namespace trikal::capture
