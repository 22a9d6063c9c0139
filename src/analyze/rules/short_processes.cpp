#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kShortProcessesLimits[] = {
    {"processes", 100, "that live that short, at least"},
    {"seconds", 0.05, "that such a process lives, at most"},
    {"share", 0.05, "of the run that starting them takes, at least"},
};
// To fork, to load a program and its libraries, and to end: measured bare on several machines, 0.5 to 3 ms.
constexpr double kLeastStart = 0.0005, kStart = 0.001, kMostStart = 0.003;

void look_for_short_processes(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  std::map<std::string_view, std::int64_t> programs;
  std::int64_t count = 0;
  double lived = 0;
  for (const ProcessRow& process : run.processes) {
    const double life = process.end - process.start;
    if (process.uses_mpi || process.end <= 0 || life > scene[at(kShortProcessesLimits, "seconds")]) continue;
    count += 1, lived += std::max(0.0, life);
    programs[std::string_view(process.exe).substr(process.exe.rfind('/') + 1)] += 1;
  }
  const double lost = kStart * real_of(count);
  if (count < scene.count(at(kShortProcessesLimits, "processes")) ||
      lost < scene[at(kShortProcessesLimits, "share")] * run.seconds)
    return;
  std::vector<std::pair<std::string_view, std::int64_t>> most(programs.begin(), programs.end());
  std::ranges::sort(most, std::greater<>(), [](const auto& program) { return program.second; });
  Finding finding;
  finding.title = fmt::format("{} of {} processes live for {} on average", grouped(count),
                              grouped(static_cast<std::int64_t>(run.processes.size())), timed(lived / real_of(count)));
  constexpr std::size_t kNamed = 4;
  std::string names;
  for (const auto& [name, times] : std::span(most).first(std::min(kNamed, most.size())))
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", grouped(times), name.empty() ? "(no name)" : name);
  finding.evidence = {fmt::format("most often {}", names)};
  finding.formula = fmt::format("{} processes, {} each to start and end one: assumed, 0.5 to 3 ms on most machines",
                                grouped(count), timed(kStart));
  finding.least = kLeastStart * real_of(count), finding.most = kMostStart * real_of(count);
  conclude(run, lost, std::move(finding), out, Bound::kRun);
}

}  // namespace

const Rule kShortProcesses = {"short-processes",
                              "hundreds of processes that live for milliseconds",
                              "Starting a program takes longer than what it does: the kernel copies a process, loads "
                              "the program and its libraries, "
                              "and all of them read the same files again.",
                              "Let one process do the work of the loop: one awk, sed or Python script over all files "
                              "instead of one per file, builtins "
                              "of the shell ($(<file), ${x%y}, read) instead of cat, cut and wc, xargs or find -exec "
                              "... + to give a program many files at once.",
                              "processes that live for 50 ms at most, a millisecond each",
                              look_for_short_processes,
                              kShortProcessesLimits};

}  // namespace trikal::analyze
