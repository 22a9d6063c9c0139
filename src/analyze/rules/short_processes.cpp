#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kShortProcessesLimits[] = {
    {"processes", 100, "that live that short, at least"},
    {"seconds", 0.05, "that such a process lives, at most"},
    {"share", 0.05, "of the run that starting them takes, at least"},
};
// To fork, to load a program and its libraries, and to end: where no process follows another, assumed.
constexpr double kLeastStart = 0.0005, kStart = 0.001, kMostStart = 0.003;
// Starting, observing and ending a process under observation, beyond what it takes without (docs/overhead.md).
constexpr double kObserving = 0.00075;
// What a process takes before it is observed and after it has ended, at most: the rest of the time to the next one is its
// parent's.
constexpr double kAround = 0.004;

struct ShortLives {
  std::vector<const ProcessRow*> processes;
  double lived = 0;
  std::int64_t count() const { return static_cast<std::int64_t>(processes.size()); }
};

ShortLives short_lives(const Run& run, double most) {
  ShortLives lives;
  for (const ProcessRow& process : run.processes) {
    const double life = process.end - process.start;
    if (process.uses_mpi || process.end <= 0 || life > most) continue;
    lives.processes.push_back(&process), lives.lived += std::max(0.0, life);
  }
  return lives;
}

// Of processes that one parent starts one after the other: from the beginning of each to the next one's.
struct Sequence {
  std::int64_t pairs = 0;
  double seconds = 0;
};

Sequence sequence_of(const ShortLives& lives) {
  auto order = lives.processes;
  std::ranges::sort(order, {}, [](const ProcessRow* one) { return std::pair(one->parent, one->start); });
  Sequence sequence;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ProcessRow &before = *order[i - 1], &next = *order[i];
    if (before.parent != next.parent) continue;
    const double life = std::max(0.0, before.end - before.start);
    sequence.pairs += 1, sequence.seconds += std::min(next.start - before.start, life + kAround);
  }
  return sequence;
}

// Seconds of a process, from its parent's loop.
double start_cost(const ShortLives& lives, const Sequence& sequence) {
  constexpr std::int64_t kEnough = 50;
  if (sequence.pairs < kEnough || 2 * sequence.pairs < lives.count()) return kStart;
  return std::max(kLeastStart, sequence.seconds / real_of(sequence.pairs) - kObserving);
}

void look_for_short_processes(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const ShortLives lives = short_lives(run, scene[at(kShortProcessesLimits, "seconds")]);
  const Sequence sequence = sequence_of(lives);
  const std::int64_t count = lives.count();
  const double each = start_cost(lives, sequence), lost = each * real_of(count);
  if (count < scene.count(at(kShortProcessesLimits, "processes")) ||
      lost < scene[at(kShortProcessesLimits, "share")] * run.seconds)
    return;
  std::map<std::string_view, std::int64_t> programs;
  for (const ProcessRow* process : lives.processes)
    programs[std::string_view(process->exe).substr(process->exe.rfind('/') + 1)] += 1;
  std::vector<std::pair<std::string_view, std::int64_t>> most(programs.begin(), programs.end());
  std::ranges::sort(most, std::greater<>(), [](const auto& program) { return program.second; });
  Finding finding;
  finding.title =
      fmt::format("{} of {} processes live for {} on average", grouped(count),
                  grouped(static_cast<std::int64_t>(run.processes.size())), timed(lives.lived / real_of(count)));
  constexpr std::size_t kNamed = 4;
  std::string names;
  for (const auto& [name, times] : std::span(most).first(std::min(kNamed, most.size())))
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", grouped(times), name.empty() ? "(no name)" : name);
  finding.evidence = {fmt::format("most often {}", names)};
  if (each == kStart) {
    finding.formula = fmt::format("{} processes, {} each to start and end one: assumed, 0.5 to 3 ms on most machines",
                                  grouped(count), timed(kStart));
    finding.least = kLeastStart * real_of(count), finding.most = kMostStart * real_of(count);
  } else {
    finding.formula =
        fmt::format("{} processes, {} from the beginning of one to the next one's, less {} of observing it",
                    grouped(count), timed(sequence.seconds / real_of(sequence.pairs)), timed(kObserving));
    finding.least = lost / 2, finding.most = 1.5 * lost;
  }
  conclude(run, lost, std::move(finding), out, Bound::kRun);
}

}  // namespace

const Rule kShortProcesses = {
    "short-processes",
    "hundreds of processes that live for milliseconds",
    "Starting a program takes longer than what it does: the kernel copies a process, loads "
    "the program and its libraries, "
    "and all of them read the same files again.",
    "Let one process do the work of the loop: one awk, sed or Python script over all files "
    "instead of one per file, builtins "
    "of the shell ($(<file), ${x%y}, read) instead of cat, cut and wc, xargs or find -exec "
    "... + to give a program many files at once.",
    "processes that live for 50 ms at most, each with the time to the next one of its parent, else a "
    "millisecond",
    look_for_short_processes,
    kShortProcessesLimits};

}  // namespace trikal::analyze
