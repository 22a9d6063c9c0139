// How long a job takes to write its log: what the runtime does at its end as scripts of work and messages, one a rank
// (costs.cpp has what the work takes, by doing it), on the processors of this machine or on one for each rank.
//
//   simulate-shutdown MESSAGE BANDWIDTH POLL SLICE NAP SHARE FIRST LATE PROCESSORS RANKS...
//                       as waves.c prints them; 0 processors: one a rank
// Lines:
//   <workload> <ranks> <seconds> <bytes of the log without header and trailer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "capture/events/event.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/session/ending.hpp"
#include "shutdown/costs.hpp"
#include "shutdown/schedule.hpp"

namespace trikal::capture {

// What the runtime asks of modules and has no use for here.
std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr ModuleHooks kHooks[] = {{.schema = &modules::posix::kSchema}};
  return kHooks;
}
std::span<const ImportList> import_lists() noexcept { return {}; }
void find_dlopen() noexcept {}
void find_endings() noexcept {}
bool is_every_event_wanted(const Config& /*config*/) noexcept { return false; }
void tell_listeners(const Event& /*event*/) noexcept {}
void tell_moved(Operation /*operation*/, std::uint64_t /*file*/, Span /*when*/, std::int64_t /*offset*/,
                std::int64_t /*length*/) noexcept {}

}  // namespace trikal::capture

namespace trikal::bench {
namespace {

constexpr Workload kWorkloads[] = {
    {"1 shared", false, 1}, {"1024 shared", false, 1024}, {"1 per process", true, 1}, {"1024 per process", true, 1024}};
constexpr std::uint64_t kOrder = 128;  // bytes of a message that says where to write, or that all is well

// What one rank does, in the order of capture/sink/job_*.cpp.
class Writing {
 public:
  Writing(const Costs& costs, std::int64_t rank, std::int64_t ranks, double busy)
      : costs_(costs), rank_(rank), ranks_(ranks), busy_(busy) {}

  Script script() {
    agree();
    collect();
    write();
    return std::move(script_);
  }

 private:
  void put(Op op) {
    op.first = op.kind == Op::Kind::kReceive && heard_.insert(op.peer).second;
    script_.push_back(op);
  }
  template <class Use>
  void each_child(const Use& use) const {
    for_each_child(rank_, ranks_, use);
  }

  void agree() {
    put(work(costs_.rank.count));
    each_child([&](std::int64_t child) {
      put(receive(child, costs_.sizes.survey));
      put(work(costs_.parent.merge));
    });
    if (rank_ > 0) {
      put(send(parent_of(rank_), costs_.sizes.survey));
      put(receive(parent_of(rank_), costs_.sizes.plan));
    }
    each_child([&](std::int64_t child) { put(send(child, costs_.sizes.plan)); });
    put(work(costs_.rank.plan));  // who waits for the plan comes first
  }

  void pack() {
    if (!costs_.together) return put(work(costs_.rank.streams));
    const std::int64_t packer = rank_ / kBlock * kBlock;
    if (packer != rank_) {
      put(work(costs_.rank.map));
      return put(send(packer, costs_.sizes.map));
    }
    const std::int64_t end = std::min(rank_ + kBlock, ranks_);
    for (std::int64_t member = rank_ + 1; member < end; ++member) {
      put(receive(member, costs_.sizes.map));
      put(work(costs_.parent.open));
    }
    put(work(costs_.parent.streams));
  }

  // Of everybody from `rank` to `end`.
  [[nodiscard]] std::uint64_t collected(std::int64_t rank, std::int64_t end) const {
    const std::int64_t step = costs_.together ? kBlock : 1;
    const std::int64_t parts = (end + step - 1) / step - (rank + step - 1) / step;
    const std::uint64_t rest =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(end - rank) * costs_.sizes.rest, 8U << 20U);
    const std::uint64_t shared = end - rank > 1 ? costs_.sizes.held : costs_.sizes.shared;
    return shared + static_cast<std::uint64_t>(parts) * costs_.sizes.part + rest;
  }

  void collect() {
    pack();
    const bool leaf = rank_ > 0 && end_below(rank_, ranks_) == rank_ + 1;
    put(work(costs_.rank.rest + (leaf ? 0 : costs_.rank.fold)));
    each_child([&](std::int64_t child) {
      const std::int64_t end = end_below(child, ranks_);
      put(receive(child, collected(child, end)));
      put(work(end - child > 1 ? costs_.parent.combine_held : costs_.parent.combine));
    });
    if (rank_ == 0) return;
    put(work(costs_.rank.message + (leaf ? costs_.rank.own : costs_.parent.write)));
    put(send(parent_of(rank_), collected(rank_, end_below(rank_, ranks_))));
  }

  void wave_down() {
    if (rank_ > 0) put(receive(parent_of(rank_), kOrder));
    each_child([&](std::int64_t child) { put(send(child, kOrder)); });
  }

  void write() {
    if (rank_ == 0) put(work(costs_.begins(busy_)));
    if (!costs_.sent) {
      wave_down();
      if (rank_ > 0) put(work(costs_.rank.message));  // its own streams once more, into the file
      each_child([&](std::int64_t child) { put(receive(child, kOrder)); });
      if (rank_ > 0) put(send(parent_of(rank_), kOrder));
    }
    if (rank_ == 0) put(work(costs_.finishes(busy_)));
    wave_down();
  }

  const Costs& costs_;
  std::int64_t rank_, ranks_;
  double busy_;  // the part of the time for which the other processors are while the root writes
  Script script_;
  std::set<std::int64_t> heard_;  // from whom
};

double median_seconds(const std::vector<Script>& scripts, const Machine& machine) {
  constexpr std::size_t kOrders = 9;
  std::array<double, kOrders> seconds{};
  for (std::size_t i = 0; i < kOrders; ++i) {
    seconds[i] = run_scripts(scripts, machine, i);
    if (machine.processors == 0) return seconds[0];
  }
  std::ranges::sort(seconds);
  return seconds[kOrders / 2];
}

void simulate(const Workload& workload, std::int64_t ranks, const Machine& machine) {
  const Costs costs(workload, ranks, machine.processors > 0 && ranks > machine.processors);
  // While the root writes, all others nap and look.
  const double busy =
      machine.processors > 0 ? std::min(1.0, static_cast<double>(ranks - 1) * machine.poll / machine.nap) : 0;
  std::vector<Script> scripts;
  for (std::int64_t rank = 0; rank < ranks; ++rank) scripts.push_back(Writing(costs, rank, ranks, busy).script());
  const std::int64_t parts = costs.together ? (ranks + kBlock - 1) / kBlock : ranks;
  const std::uint64_t further = static_cast<std::uint64_t>(parts - 1) * costs.sizes.more_streams;
  const std::uint64_t bytes = costs.sizes.streams + further + costs.sizes.shared_packed;
  std::printf("%s\t%lld\t%.6f\t%llu\n", workload.name, static_cast<long long>(ranks), median_seconds(scripts, machine),
              static_cast<unsigned long long>(bytes));
  if (std::getenv("COSTS") != nullptr) {
    std::fprintf(
        stderr,
        "%s %lld: us: count %.0f plan %.0f map %.0f streams %.0f rest %.0f message %.0f own %.0f "
        "fold %.0f | merge %.0f combine %.0f of many %.0f write %.0f open %.0f block %.0f | begin %.0f finish %.0f\n",
        workload.name, static_cast<long long>(ranks), 1e6 * costs.rank.count, 1e6 * costs.rank.plan,
        1e6 * costs.rank.map, 1e6 * costs.rank.streams, 1e6 * costs.rank.rest, 1e6 * costs.rank.message,
        1e6 * costs.rank.own, 1e6 * costs.rank.fold, 1e6 * costs.parent.merge, 1e6 * costs.parent.combine,
        1e6 * costs.parent.combine_held, 1e6 * costs.parent.write, 1e6 * costs.parent.open, 1e6 * costs.parent.streams,
        1e6 * costs.root.begin, 1e6 * costs.root.finish);
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace trikal::bench

int main(int argc, char** argv) {
  using namespace trikal::bench;  // NOLINT: a small program
  if (argc < 11)
    return std::fprintf(stderr,
                        "simulate-shutdown MESSAGE BANDWIDTH POLL SLICE NAP SHARE FIRST LATE PROCESSORS RANKS...\n"),
           2;
  const auto number = [&](int at) { return std::atof(argv[at]); };
  const Machine machine{number(1), number(2), number(3), number(4),          number(5),
                        number(6), number(7), number(8), std::atoll(argv[9])};
  for (const Workload& workload : kWorkloads) {
    for (int i = 10; i < argc; ++i) simulate(workload, std::atoll(argv[i]), machine);
  }
  return 0;
}
