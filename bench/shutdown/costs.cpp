#include "shutdown/costs.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "capture/reduce/packed_map.hpp"
#include "capture/reduce/rest.hpp"
#include "capture/sink/job_writer.hpp"
#include "log/crash/self_cost.hpp"

namespace trikal::bench {
namespace {

constexpr int kTries = 5;

void must(bool well) {
  if (!well) std::abort();
}

// Where a rank has waited, others have had the processor: nothing of it is left in the caches that are a core's own.
void forget_caches() {
  static const std::vector<std::uint64_t> others((8U << 20U) / sizeof(std::uint64_t), 1);
  static volatile std::uint64_t sum;
  for (std::size_t i = 0; i < others.size(); i += 8) sum = sum + others[i];
}

double used_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Keeps the other processors busy: those of one core are slower together, and ranks compute side by side.
class Neighbours {
 public:
  explicit Neighbours(long count) {
    for (long i = 0; i < count; ++i) {
      const pid_t child = fork();
      must(child >= 0);
      if (child == 0) be_busy();
      children_.push_back(child);
    }
  }
  ~Neighbours() {
    for (const pid_t child : children_) kill(child, SIGKILL), waitpid(child, nullptr, 0);
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

 private:
  [[noreturn]] static void be_busy() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<std::uint64_t> words(1U << 16U, 1);
    for (std::uint64_t sum = 1;;) {
      for (std::uint64_t& word : words) sum += word * sum, word = sum;
    }
  }
  std::vector<pid_t> children_;
};

// What `measure` answers in a process of its own, as often; of each number the median.
enum class Others : bool { kIdle, kBusy };
template <class Numbers, class Measure>
Numbers in_processes(const Measure& measure, Others others = Others::kBusy) {
  constexpr std::size_t kCount = sizeof(Numbers) / sizeof(double);
  void* shared = mmap(nullptr, sizeof(Numbers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  must(shared != MAP_FAILED);
  const Neighbours neighbours(others == Others::kBusy ? sysconf(_SC_NPROCESSORS_ONLN) - 1 : 0);
  std::array<std::array<double, kTries>, kCount> all{};
  for (std::size_t i = 0; i < kTries; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      store(static_cast<std::byte*>(shared), measure(i));
      _exit(0);
    }
    int status = -1;
    must(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    for (std::size_t j = 0; j < kCount; ++j) all[j][i] = load<double>(static_cast<std::byte*>(shared) + 8 * j);
  }
  Numbers middle;
  for (std::size_t j = 0; j < kCount; ++j) {
    std::ranges::sort(all[j]);
    store(reinterpret_cast<std::byte*>(&middle) + 8 * j, all[j][kTries / 2]);
  }
  munmap(shared, sizeof(Numbers));
  return middle;
}

}  // namespace

template <class Work>
double Costs::seconds_of(const Work& work, After after) const {
  if (after == After::kWaiting && crowded_) forget_caches();
  const double begin = used_seconds();
  work();
  return used_seconds() - begin;
}

Costs::Costs(const Workload& workload, std::int64_t ranks, bool crowded)
    : observers_(module_hooks()), ranks_(ranks), crowded_(crowded) {
  for (std::int64_t i = 0; i < std::min(ranks, kBlock); ++i) {
    fakes_.push_back(std::make_unique<FakeRank>(i, workload));
    processes_.push_back(fakes_.back()->process());
  }
  agree();
  pack();
  measure_rank();
  measure_parent();
  measure_root();
}

void Costs::agree() {
  Survey all;
  must(all.count(processes_.front(), observers_));
  for (std::size_t i = 1; i < processes_.size(); ++i) {
    Survey other;
    survey_.clear();
    must(other.count(processes_[i], observers_) && other.write(survey_));
    must(all.merge(survey_.bytes(), {i == 1, ranks_ < 3, true}));
  }
  must(ids_.set(all.ids.counts(), all.ids.bytes()));
  ids_.index();
  const std::span members = std::span(all.head.members).first(processes_.size());
  for (Member& member : members) member.bytes = member.without(ids_.bytes().size() / 8);
  together = std::popcount(make_parts(members, kSmallPart)[0]) == static_cast<int>(processes_.size());
  sizes.survey = survey_.size();
  sizes.plan = sizeof(PlanHead) + ids_.bytes().size();
}

void Costs::pack() {
  const LeftOut left_out{ids_, observers_.all(), true};
  must(pack_map(processes_.back(), Contents::kRecords, {}, map_, &left_out));
  must(pack_map(processes_.back(), Contents::kRest, {}, rest_));
  // What the packer has: its own map, and of the others what they send, without what is shared.
  if (together) {
    Buffer sent_maps;
    for (std::size_t i = 1; i < processes_.size(); ++i) {
      const LeftOut without{ids_, observers_.all(), processes_[i].rank != plan().names_of};
      must(pack_map(processes_[i], Contents::kRecords, {}, sent_maps, &without));
    }
    must(others_.open(sent_maps.bytes()));
    packed_.push_back(processes_.front());
    for (const Process& other : others_.processes(1000)) packed_.push_back(other);
  } else {
    packed_.push_back(processes_.back());
  }
  const std::span packed(packed_);
  must(pack_part(packed, observers_, plan(), head_, streams_).ok());
  must(shared_.begin(ids_, observers_.all()) && shared_.add(processes_.front()));
  for (std::size_t i = 1; i < processes_.size(); ++i) {
    own_.clear();
    must(shared_.write_own(processes_[i], own_) && shared_.combine(own_.bytes()));
  }
  must(shared_.write(held_));
  Buffer records, shared_stream;
  must(shared_.finish(0, records));
  if (records.size() > 0) must(pack_stream(records.bytes(), kSchema.head_bytes, Packers::kOne, shared_stream).ok());
  sent = is_sent(streams_.size(), static_cast<std::int64_t>(packed.size()), ranks_);
  sizes.map = map_.size(), sizes.shared = own_.size(), sizes.held = held_.size(), sizes.rest = rest_.size();
  sizes.streams = streams_.size(), sizes.shared_packed = shared_stream.size();
  PartHead unused;
  Buffer further;
  PartPlan without_names = plan();
  without_names.names_of = -1;
  must(pack_part(packed, observers_, without_names, unused, further).ok());
  sizes.more_streams = further.size();
  sizes.part = sizeof(PartHead) + (sent ? streams_.size() : 0);
}

void Costs::measure_rank() {
  rank = in_processes<RankCosts>([&](std::size_t i) {
    const Process& me = processes_[i * (processes_.size() - 1) / (kTries - 1)];
    RankCosts cost;
    Survey survey;
    Buffer message, map, streams, rest;
    cost.count = seconds_of([&] { must(survey.count(me, observers_) && survey.write(message)); });
    IdLists heard;
    cost.plan = seconds_of([&] { must(heard.set(ids_.counts(), ids_.bytes())), heard.index(); });
    const LeftOut left_out{ids_, observers_.all(), true};
    cost.map = seconds_of([&] { must(pack_map(me, Contents::kRecords, {}, map, &left_out)); });
    PartHead head;
    if (!together)
      cost.streams = seconds_of([&] { must(pack_part({&me, 1}, observers_, plan(), head, streams).ok()); });
    SharedRecords shared;
    Buffer out;
    cost.own =
        seconds_of([&] { must(shared.begin(ids_, observers_.all()) && shared.write_own(me, out)); }, After::kWork);
    cost.fold = seconds_of([&] { must(shared.begin(ids_, observers_.all()) && shared.add(me)); }, After::kWork);
    cost.rest =
        seconds_of([&] { must(pack_map(me, Contents::kRest, log::crash::self_cost(*me.map, observers_.all()), rest)); },
                   After::kWork);
    cost.message = seconds_of([&] { must(out.append(streams.bytes())); }, After::kWork);
    return cost;
  });
}

void Costs::measure_parent() {
  parent = in_processes<ParentCosts>([&](std::size_t) {
    ParentCosts cost;
    Survey mine;
    must(mine.count(processes_.front(), observers_));
    cost.merge =
        seconds_of([&] { must(mine.merge(survey_.size() > 0 ? survey_.bytes() : Bytes{}, {false, true, true})); });
    SharedRecords shared;
    must(shared.begin(ids_, observers_.all()) && shared.add(processes_.front()));
    if (own_.size() > 0) cost.combine = seconds_of([&] { must(shared.combine(own_.bytes())); });
    cost.combine_held = seconds_of([&] { must(shared.combine(held_.bytes())); });
    Buffer out;
    cost.write = seconds_of([&] { must(shared.write(out)); }, After::kWork);
    if (!together) return cost;
    UnpackedMaps maps;
    cost.open = seconds_of([&] { must(maps.open(map_.bytes())); });
    PartHead head;
    Buffer streams;
    cost.streams = seconds_of([&] { must(pack_part(packed_, observers_, plan(), head, streams).ok()); });
    return cost;
  });
}

// The log itself, into a folder in memory.
void Costs::measure_root() {
  Buffer parts;
  PartHead head = head_;
  const std::int64_t step = together ? kBlock : 1;
  for (std::int64_t owner = 0; owner < ranks_; owner += step) {
    const bool here = sent || owner == 0;
    head.owner = owner, head.sent = here ? 1 : 0;
    head.bytes = sizeof head + (here ? streams_.size() : 0);
    must(parts.put(head) && (!here || parts.append(streams_.bytes())));
  }
  Rest rest;
  for (std::int64_t i = 0; i < ranks_; ++i) must(rest.add({rest_.size(), 1, 0}, rest_.bytes()));
  char folder[] = "/dev/shm/simulate-XXXXXX";
  must(mkdtemp(folder) != nullptr);
  const auto write_log = [&](std::size_t i) {
    const std::string path = std::string(folder) + "/" + std::to_string(i) + ".darshan";
    static Config config;
    config.log_file = path.c_str();
    JobWriter writer(config, observers_.all());
    const JobWriter::Job job{processes_[0].map, ranks_,        {1000, 0},           {1002, 0}, 1,
                             &shared_,          parts.bytes(), rest.head().left_out};
    Buffer orders;
    UnpackedMaps maps;
    RootCosts cost;
    cost.begin = seconds_of([&] { must(maps.open(rest.packed()) && writer.begin(job, orders).ok()); });
    const After after = sent ? After::kWork : After::kWaiting;
    cost.finish = seconds_of([&] { must(writer.finish(job, maps).ok()); }, after);
    std::filesystem::remove(path);
    return cost;
  };
  root = in_processes<RootCosts>(write_log);
  root_alone = in_processes<RootCosts>(write_log, Others::kIdle);
  std::filesystem::remove_all(folder);
}

}  // namespace trikal::bench
