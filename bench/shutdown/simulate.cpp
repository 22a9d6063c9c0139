// How long a job of many ranks takes to write its log: the grouping, folding and packing that the runtime does, run for
// real on made-up records, and a model of the messages in between.
//
//   simulate-shutdown LATENCY BANDWIDTH PROCESSORS RANKS...      seconds a message, bytes a second, of one node; 0: one
//                                                                processor a rank
//
// One block of 64 ranks and one level of the tree are computed; all blocks do the same at the same time, each on a node
// of its own. What the root does with the parts of all blocks is computed for all of them. Lines:
//   <workload> <ranks> <seconds> <bytes of the log without header and trailer>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "capture/events/moved.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/reduce/packed_map.hpp"
#include "capture/reduce/part.hpp"
#include "capture/reduce/shared_records.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"
#include "support/map_builder.hpp"

namespace trikal::capture {

// What the runtime asks of modules and has no use for here.
std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr ModuleHooks kHooks[] = {{.schema = &modules::posix::kSchema}};
  return kHooks;
}
std::span<const ImportList> import_lists() noexcept { return {}; }
void find_dlopen() noexcept {}
void raise_slowly(ModuleSlot /*by*/, bool /*read*/, std::uint64_t /*id*/, Span /*when*/, std::int64_t /*offset*/,
                  std::int64_t /*bytes*/) noexcept {}

}  // namespace trikal::capture

namespace trikal::capture {
namespace {

using log::crash::ChunkKind;
using log::crash::MapView;
using log::crash::Process;
using modules::posix::kSchema;

struct Workload {
  const char* name;
  bool own;
  std::uint32_t files;
};
constexpr Workload kWorkloads[] = {
    {"1 shared", false, 1}, {"1024 shared", false, 1024}, {"1 per process", true, 1}, {"1024 per process", true, 1024}};

struct Machine {
  double latency = 0, bandwidth = 0;
  std::int64_t processors = 0;  // of a node; 0: as many as ranks

  [[nodiscard]] double message(std::size_t bytes) const { return latency + static_cast<double>(bytes) / bandwidth; }
  // Work that `ranks` ranks of a node do at the same time.
  [[nodiscard]] double together(double each, std::int64_t ranks) const {
    const std::int64_t at_once = processors > 0 ? std::min(processors, ranks) : ranks;
    return each * static_cast<double>(ranks) / static_cast<double>(at_once);
  }
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
    const std::size_t names = map_.add_chunk({.kind = ChunkKind::kNames, .slots = 64 * workload.files});
    double now = 0.1;
    for (std::uint32_t i = 0; i < workload.files; ++i) {
      const std::string name = name_of(i, workload);
      const std::uint64_t id = record_id(std::as_bytes(std::span(name)), 0);
      map_.add_slot(records, trikal::testing::slot_bytes(record_of(id, now, random).words));
      map_.add_name(names, id, name);
    }
    view_.emplace(*MapView::open(map_.bytes()));
  }
  [[nodiscard]] Process process() const { return {&*view_, rank_, 0}; }

 private:
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

void must(bool well) {
  if (!well) std::abort();
}

// The best of a few: what else the machine does is not the job's.
template <class Work>
double seconds_of(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

class Job {
 public:
  Job(const Workload& workload, std::int64_t ranks, const Machine& machine)
      : machine_(machine), observers_(module_hooks()), ranks_(ranks), block_(std::min(ranks, kBlock)) {
    for (std::int64_t rank = 0; rank < block_; ++rank) fakes_.push_back(std::make_unique<FakeRank>(rank, workload));
  }

  void run() {
    census();
    collect();
    root();
  }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::uint64_t log_bytes() const { return log_bytes_; }

 private:
  // Levels of the tree: `cost(below)` is what a parent needs for each child, who stands for so many ranks. Parents of
  // one node work at the same time.
  template <class Cost>
  void each_level(const Cost& cost) {
    std::int64_t here = block_;
    std::size_t below = 1;
    for (std::int64_t left = ranks_; left > 1; left = (left + kBranches - 1) / kBranches) {
      const std::int64_t parents = (here + kBranches - 1) / kBranches;
      const auto children = static_cast<double>(std::min(left, kBranches) - 1);
      seconds_ += machine_.together(children * cost(below), parents);
      here = parents;
      below *= static_cast<std::size_t>(kBranches);
    }
  }

  void census() {
    Buffer message;
    const double own = seconds_of([&] {
      Census census;
      message.clear();
      must(census.count(fakes_.back()->process(), observers_) && census.write(message));
    });
    Census all;
    must(all.count(fakes_.front()->process(), observers_));
    double merging = 0;
    for (std::size_t i = 1; i < fakes_.size(); ++i) {
      Census other;
      Buffer theirs;
      must(other.count(fakes_[i]->process(), observers_) && other.write(theirs));
      const auto begin = std::chrono::steady_clock::now();
      must(all.merge(theirs.bytes(), {i == 1, ranks_ < 3, true}));
      merging += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    must(ids_.set(all.ids.counts(), all.ids.bytes()));
    const std::span members = std::span(all.head.members).first(fakes_.size());
    for (Member& member : members) member.bytes = member.without(ids_.bytes().size() / 8);
    parts_ = make_parts(members, kSmallPart);
    const double merge = fakes_.size() > 1 ? merging / static_cast<double>(fakes_.size() - 1) : 0;
    const std::size_t plan = sizeof(PlanHead) + ids_.bytes().size();
    seconds_ += machine_.together(own, block_);
    each_level([&](std::size_t) { return merge + machine_.message(message.size()) + machine_.message(plan); });
  }

  // A block's own: maps to the packers, streams, shared records.
  void collect() {
    small_ = std::popcount(parts_[0]) == block_;
    const PartPlan plan{.shared = &ids_, .grid = &grid_, .names_of = ranks_ > 1 ? 1 : 0};
    std::vector<Process> processes;
    for (const auto& fake : fakes_) processes.push_back(fake->process());
    Buffer map;
    const LeftOut left_out{ids_, observers_.all(), true};
    const double packing =
        seconds_of([&] { map.clear(), must(pack_map(processes.back(), Contents::kRecords, {}, map, &left_out)); });
    const std::span packed = small_ ? std::span(processes) : std::span(processes).last(1);
    const double streams = seconds_of([&] {
      streams_.clear();
      head_ = {};
      must(pack_part(packed, observers_, plan, head_, streams_).ok());
    });
    if (small_) {  // names of shared files are in one block's streams only
      const PartPlan nameless{.shared = &ids_, .grid = &grid_, .names_of = -1};
      PartHead head;
      must(pack_part(packed, observers_, nameless, head, nameless_).ok());
      UnpackedMaps maps;
      const double opening = seconds_of([&] { must(maps.open(map.bytes())); });
      const auto others = static_cast<double>(block_ - 1);
      seconds_ += machine_.together(packing, block_) + others * (opening + machine_.message(map.size())) + streams;
    } else {
      seconds_ += machine_.together(streams, block_);
    }
    fold(processes);
  }

  void fold(const std::vector<Process>& processes) {
    SharedRecords other;
    const double own = seconds_of([&] {
      must(other.begin(ids_, observers_.all()));
      other.add(processes.back());
    });
    must(shared_.begin(ids_, observers_.all()));
    shared_.add(processes.front());
    const double combining = seconds_of([&] { must(shared_.combine(other.message())); });
    Buffer rest;
    must(pack_map(processes.back(), Contents::kRest, {}, rest));
    seconds_ += machine_.together(own, block_);
    const std::size_t part = sizeof(PartHead) + (streams_.size() <= kSentPart ? streams_.size() : 0);
    each_level([&](std::size_t below) {
      const std::size_t parts = (small_ ? below / static_cast<std::size_t>(kBlock) : below) * part;
      return combining + machine_.message(other.message().size() + below * rest.size() + parts);
    });
  }

  // All parts into one file in memory, and everybody told.
  void root() {
    const std::int64_t parts = small_ ? (ranks_ + kBlock - 1) / kBlock : ranks_;
    Buffer records;
    std::FILE* file = std::tmpfile();
    const double writing = seconds_of([&] {
      must(shared_.finish(0, records));
      std::rewind(file);
      const std::int64_t by_root = streams_.size() <= kSentPart ? parts : 1;
      for (std::int64_t i = 0; i < by_root; ++i)
        must(std::fwrite(streams_.bytes().data(), 1, streams_.size(), file) == streams_.size());
      std::fflush(file);
    });
    std::fclose(file);
    const std::size_t other = small_ ? nameless_.size() : streams_.size();
    log_bytes_ = streams_.size() + static_cast<std::uint64_t>(parts - 1) * other + packed_size(records.bytes());
    seconds_ += writing;
    const int waves = small_ || streams_.size() <= kSentPart ? 1 : 3;  // with orders down and answers up
    each_level([&](std::size_t) { return waves * machine_.message(16); });
  }

  std::size_t packed_size(Bytes records) {
    if (records.empty()) return 0;
    Buffer out;
    seconds_ +=
        seconds_of([&] { out.clear(), must(pack_stream(records, kSchema.head_bytes, Packers::kOne, out).ok()); });
    return out.size();
  }

  Machine machine_;
  Observers observers_;
  std::int64_t ranks_, block_;
  std::vector<std::unique_ptr<FakeRank>> fakes_;
  IdLists ids_;
  std::array<Part, kBlock> parts_{};
  TimeGrid grid_;
  bool small_ = true;
  PartHead head_;
  Buffer streams_, nameless_;
  SharedRecords shared_;
  double seconds_ = 0;
  std::uint64_t log_bytes_ = 0;
};

}  // namespace
}  // namespace trikal::capture

int main(int argc, char** argv) {
  using namespace trikal::capture;  // NOLINT: a small program
  if (argc < 5) return std::fprintf(stderr, "simulate-shutdown LATENCY BANDWIDTH PROCESSORS RANKS...\n"), 2;
  const Machine machine{std::atof(argv[1]), std::atof(argv[2]), std::atoll(argv[3])};
  for (const Workload& workload : kWorkloads) {
    for (int i = 4; i < argc; ++i) {
      Job job(workload, std::atoll(argv[i]), machine);
      job.run();
      std::printf("%s\t%s\t%.6f\t%llu\n", workload.name, argv[i], job.seconds(),
                  static_cast<unsigned long long>(job.log_bytes()));
      std::fflush(stdout);
    }
  }
  return 0;
}
