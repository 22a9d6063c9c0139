#include <fmt/format.h>

#include <optional>

#include "analyze/rules/bursts.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kPeriodicBurstsLimits[] = {
    {"periods", 3, "seen, at least"},
    {"likeness", 0.5, "of one period to the next, at least"},
    {"bytes", 1024.0 * 1024, "of a burst, at least"},
};

void look_for_periodic_bursts(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const std::optional<Period> period = find_period(run.timeline, scene[at(kPeriodicBurstsLimits, "periods")],
                                                   scene[at(kPeriodicBurstsLimits, "likeness")]);
  if (!period || period->bytes < scene[at(kPeriodicBurstsLimits, "bytes")]) return;
  Finding finding;
  finding.title = fmt::format("I/O comes in bursts every {}: {} each, {:.0f} times", timed(period->seconds),
                              sized(period->bytes), period->times);
  finding.evidence = {fmt::format("one period is like the next by {:.0f} %, and is known to {}", 100 * period->likeness,
                                  timed(run.timeline.width)),
                      fmt::format("spread over the period a burst needs {}/s", sized(period->bytes / period->seconds))};
  double written = 0, read = 0;
  for (const double bytes : run.timeline.written) written += bytes;
  for (const double bytes : run.timeline.read) read += bytes;
  if (read > written)
    finding.fix =
        "Read the next batch in the background while this one is worked on (a thread, io_uring, more loader workers); "
        "shift the interval of jobs that run side by side.";
  finding.formula = "none of its own: no-overlap counts what waiting for the bursts costs";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kPeriodicBursts = {
    "periodic-bursts",
    "I/O that comes in bursts at a regular interval",
    "Storage is idle most of the time and overloaded in between; other jobs feel it, and this one waits.",
    "Checkpoint less often if the interval is short; write in the background, to a burst buffer or node-local storage "
    "that drains slowly; shift the interval of jobs that run side by side.",
    "none of its own: no-overlap counts the seconds",
    look_for_periodic_bursts,
    kPeriodicBurstsLimits};

}  // namespace trikal::analyze
