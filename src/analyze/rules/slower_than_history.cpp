#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/metrics/statistics.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSlowerThanHistoryLimits[] = {
    {"runs", 4, "earlier ones that moved as many bytes, at least"},
    {"deviations", 3, "beyond the median of those, at least (1.4826 times their median deviation each)"},
    {"share", 0.1, "of the median beyond it, at least"},
    {"bytes", 0.25, "by which the bytes of an earlier run may differ, as a part"},
};

struct Usual {
  double middle = 0, limit = 0, least = 0, most = 0;
};

Usual usual(const Scene& scene, const std::vector<double>& past, double resolution) {
  constexpr double kAsNormal = 1.4826;
  const auto [least, most] = std::ranges::minmax_element(past);
  const double middle = median(past);
  const double spread = scene[at(kSlowerThanHistoryLimits, "deviations")] * kAsNormal * median_deviation(past);
  return {middle, middle + std::max({spread, scene[at(kSlowerThanHistoryLimits, "share")] * middle, resolution}),
          *least, *most};
}

void look_for_slower_than_history(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const double bytes = real_of(run.bytes_read()) + real_of(run.bytes_written());
  std::vector<double> io, whole;
  for (const PastRun& past : run.history) {
    if (std::abs(past.bytes - bytes) > scene[at(kSlowerThanHistoryLimits, "bytes")] * std::max(past.bytes, bytes))
      continue;
    io.push_back(past.io_seconds), whole.push_back(past.seconds);
  }
  if (io.empty() || real_of(static_cast<std::int64_t>(io.size())) < scene[at(kSlowerThanHistoryLimits, "runs")]) return;
  const Usual usual_io = usual(scene, io, kWorthSeconds);
  // Old logs know run times by the second.
  const Usual usual_whole = usual(scene, whole, run.job->whole_seconds ? 2 : kWorthSeconds);
  const bool is_io = run.io_seconds() > usual_io.limit;
  if (!is_io && run.seconds <= usual_whole.limit) return;
  const Usual& before = is_io ? usual_io : usual_whole;
  const double now = is_io ? run.io_seconds() : run.seconds;
  Finding finding;
  finding.title = fmt::format("{} took {}, {:.1f} times the {} of {} earlier runs", is_io ? "I/O" : "the run",
                              timed(now), now / before.middle, timed(before.middle), io.size());
  finding.evidence = {
      fmt::format("earlier runs took {} to {} for about as many bytes ({})", timed(before.least), timed(before.most),
                  sized(bytes)),
      is_io ? fmt::format("the whole run took {}, before {}", timed(run.seconds), timed(usual_whole.middle))
            : fmt::format("I/O took {}, before {}: it is the rest that is slower", timed(run.io_seconds()),
                          timed(usual_io.middle))};
  finding.formula = fmt::format("{} less the median of {}", timed(now), timed(before.middle));
  conclude(run, now - before.middle, std::move(finding), out, Bound::kRun);
}

}  // namespace

const Rule kSlowerThanHistory = {
    "slower-than-history",
    "a run slower than the same program used to be",
    "Nothing in one log says that it was a bad day; the runs before do.",
    "Compare with an earlier log (trikal diff --html) for what changed: input, libraries, node, stripes, quota; if "
    "nothing did, ask what else used the file system at that time.",
    "time of this run less the median of earlier runs of the same program, with as many processes and about as many "
    "bytes (trikal insights --history)",
    look_for_slower_than_history,
    kSlowerThanHistoryLimits};

}  // namespace trikal::analyze
