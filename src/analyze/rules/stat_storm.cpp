#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/caller_cost.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kStatStormLimits[] = {
    {"stats", 32, "of a file by each rank, beyond one for each open, at least"},
};

// Opening asks as well: Python and many libraries call fstat on each descriptor they get. That is the open's, and cheap.
std::int64_t asked(const Use& use) { return std::max<std::int64_t>(use.stats - use.opens, 0); }

void look_for_stat_storm(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene.count(at(kStatStormLimits, "stats"));
  const CallerCost around = caller_cost(run);
  Offenders offenders(run);
  std::int64_t stats = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const std::int64_t asks = asked(use);
    if (asks < often * use.ranks) return;
    // Opens, closes and seeks share the metadata time; they are no cheaper than a stat.
    const double share =
        static_cast<double>(asks - use.ranks) / static_cast<double>(use.stats + 2 * use.opens + use.seeks);
    const double lost = use.meta_seconds * share + around.stat * real_of(asks - use.ranks);
    offenders.add(file, use, lost, fmt::format("{} stat calls", grouped(asks)));
    stats += asks, seconds += use.meta_seconds;
  });
  Finding finding;
  finding.title = fmt::format("{} stat calls on {}", grouped(stats), offenders.names());
  finding.evidence = {fmt::format("metadata of these files took {}", timed(seconds))};
  finding.formula = fmt::format("{} of metadata time, for the share of stat calls beyond one per rank and open{}",
                                timed(seconds), around.words(around.stat, "call"));
  conclude(offenders, std::move(finding), out, around.stat > 0 ? Bound::kRun : Bound::kTimeInIo);
}

}  // namespace

const Rule kStatStorm = {
    "stat-storm",
    "files asked about again and again",
    "Each stat is a question to the metadata server, which all jobs share.",
    "Ask once and remember the answer; open the file and use fstat; let readdir tell types (d_type).",
    "the files' metadata time, for the share of stat calls beyond one per rank and file, and one for each open",
    look_for_stat_storm,
    kStatStormLimits};

}  // namespace trikal::analyze
