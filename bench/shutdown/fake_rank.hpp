#pragma once
// A rank that has used files as bench/shutdown/files.c does, made up.

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "log/crash/to_log.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"
#include "support/map_builder.hpp"

namespace trikal::bench {

using log::crash::ChunkKind;
using log::crash::ErrorSlot;
using log::crash::MapView;
using log::crash::Process;
using modules::posix::kSchema;

struct Workload {
  const char* name;
  bool own;
  std::uint32_t files;
};

// A rank that has used its files as bench/shutdown/files.c does with POSIX calls.
class FakeRank {
 public:
  FakeRank(std::int64_t rank, const Workload& workload) : rank_(rank) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    const auto bytes = static_cast<std::uint32_t>(sizeof(LiveRecord<kSchema>::words));
    const std::size_t records = map_.add_chunk({.kind = ChunkKind::kRecords,
                                                .module = kSchema.id,
                                                .stride = bytes,
                                                .record_bytes = bytes,
                                                .slots = workload.files});
    const std::size_t briefs = map_.add_chunk({.kind = ChunkKind::kBriefs,
                                               .module = kSchema.id,
                                               .stride = kSchema.brief_bytes,
                                               .record_bytes = kSchema.brief_bytes,
                                               .slots = workload.files});
    const std::size_t names = map_.add_chunk({.kind = ChunkKind::kNames, .slots = 64 * workload.files});
    double now = 0.1;
    for (std::uint32_t i = 0; i < workload.files; ++i) {
      const std::string name = name_of(i, workload);
      const std::uint64_t id = record_id(std::as_bytes(std::span(name)), 0);
      map_.add_slot(records, trikal::testing::slot_bytes(record_of(id, now, random).words));
      // Opened first, and nothing else: the record that it had then is still there.
      const std::array moved{id, static_cast<std::uint64_t>(log::crash::kMoved)};
      map_.add_slot(briefs, std::as_bytes(std::span(moved)));
      map_.add_name(names, id, name);
    }
    add_rest();
    view_.emplace(*MapView::open(map_.bytes()));
  }
  [[nodiscard]] Process process() const { return {&*view_, rank_, 0}; }

 private:
  // What else a rank of such a job leaves for the trailer: a row of counters that records have no slot for, two errors.
  void add_rest() {
    map_.set_text({kArguments, sizeof kArguments}, "/tmp/tmpabcdefgh/files", "");
    std::vector<std::uint64_t> row(kSchema.extra->head_bytes / 8);
    row[0] = record_id(std::as_bytes(std::span(kArguments)), 0);
    row[4] = 1;
    map_.add_one(ChunkKind::kExtras, kSchema.id, std::as_bytes(std::span(row)));
    const std::size_t errors = map_.add_chunk(
        {.kind = ChunkKind::kErrors, .stride = sizeof(ErrorSlot), .record_bytes = sizeof(ErrorSlot), .slots = 2});
    for (const int error : {ENOENT, ENOTTY})
      map_.add_slot(errors,
                    trikal::testing::slot_bytes(ErrorSlot{0, static_cast<std::uint32_t>(error), kSchema.id, 3}));
  }

  static constexpr char kArguments[] = "/tmp/tmpabcdefgh/files\0/dev/shm/tmpabcdefgh/data\0own\0001024\0posix";
  [[nodiscard]] std::string name_of(std::uint32_t file, const Workload& workload) const {
    char text[96];
    if (workload.own)
      std::snprintf(text, sizeof text, "/dev/shm/tmpabcdefgh/data/rank%05d.file%06u", static_cast<int>(rank_), file);
    else std::snprintf(text, sizeof text, "/dev/shm/tmpabcdefgh/data/shared.%06u", file);
    return text;
  }
  static LiveRecord<kSchema> record_of(std::uint64_t id, double& now, std::mt19937_64& random) {
    const auto some = [&] { return 1e-6 * static_cast<double>(1 + random() % 64) / 3; };
    LiveRecord<kSchema> record;
    record.set_base({id, 0});
    record.at<"POSIX_OPENS">() = 1, record.at<"POSIX_WRITES">() = 1, record.at<"POSIX_BYTES_WRITTEN">() = 64;
    record.at<"POSIX_READS">() = 1, record.at<"POSIX_BYTES_READ">() = 64, record.at<"POSIX_RW_SWITCHES">() = 1;
    record.at<"POSIX_MAX_BYTE_WRITTEN">() = 63, record.at<"POSIX_MAX_BYTE_READ">() = 63;
    record.at<"POSIX_MODE">() = 0644, record.at<"POSIX_MEM_ALIGNMENT">() = 8;
    record.at<"POSIX_ACCESS#_ACCESS">() = 64, record.at<"POSIX_ACCESS#_COUNT">() = 2;
    record.at<"POSIX_MAX_WRITE_TIME_SIZE">() = 64, record.at<"POSIX_MAX_READ_TIME_SIZE">() = 64;
    record.set_real<"POSIX_F_OPEN_START_TIMESTAMP">(now);
    record.set_real<"POSIX_F_OPEN_END_TIMESTAMP">(now += some());
    record.set_real<"POSIX_F_WRITE_START_TIMESTAMP">(now);
    record.set_real<"POSIX_F_WRITE_END_TIMESTAMP">(now += some());
    record.set_real<"POSIX_F_READ_START_TIMESTAMP">(now);
    record.set_real<"POSIX_F_READ_END_TIMESTAMP">(now += some());
    record.set_real<"POSIX_F_CLOSE_START_TIMESTAMP">(now);
    record.set_real<"POSIX_F_CLOSE_END_TIMESTAMP">(now += some());
    record.set_real<"POSIX_F_WRITE_TIME">(some()), record.set_real<"POSIX_F_META_TIME">(some());
    record.set_real<"POSIX_F_READ_TIME">(some());
    record.set_real<"POSIX_F_MAX_WRITE_TIME">(some()), record.set_real<"POSIX_F_MAX_READ_TIME">(some());
    return record;
  }

  std::int64_t rank_;
  trikal::testing::MapBuilder map_;
  std::optional<MapView> view_;
};

}  // namespace trikal::bench
