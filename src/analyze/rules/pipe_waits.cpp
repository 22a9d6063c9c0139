#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kPipeWaitsLimits[] = {
    {"seconds", 0.05, "in reads and writes of pipes and terminals by one rank, at least"},
    {"share", 0.1, "of the run, at least"},
};

void look_for_pipe_waits(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Finding finding;
  double waited = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (!is_pipe(file.name)) return;
      const double seconds = use.read.seconds + use.write.seconds;
      constexpr double kSlowDisk = 20e6;  // bytes a second: a file that is standard input comes faster
      if (seconds <= 0 || real_of(use.bytes()) > kSlowDisk * seconds) return;
      waited = std::max(waited, use.ranks > 1 ? std::max(use.slowest_seconds, seconds / run.concurrency) : seconds);
      finding.files.push_back({std::string(file.name), seconds,
                               fmt::format("{} through {} calls", sized(real_of(use.bytes())), grouped(use.calls()))});
    });
  }
  if (waited < scene[at(kPipeWaitsLimits, "seconds")] || waited < scene[at(kPipeWaitsLimits, "share")] * run.seconds)
    return;
  std::ranges::stable_sort(finding.files, std::greater<>(), &FileEvidence::seconds);
  finding.title = fmt::format("{} in reads and writes of pipes: that is waiting for another program", timed(waited));
  finding.formula = "none: what the other program does is what takes the time, and storage has no part in it";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kPipeWaits = {
    "pipe-waits",
    "time in reads from pipes, which is waiting for another program",
    "A read from a pipe or terminal returns when somebody wrote: its time is in no storage and faster storage does not "
    "help.",
    "Look at the program at the other end; start it earlier, or let both work at the same time on larger pieces.",
    "none: the other program is what takes the time",
    look_for_pipe_waits,
    kPipeWaitsLimits};

}  // namespace trikal::analyze
