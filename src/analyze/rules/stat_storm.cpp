#include <fmt/format.h>

#include "analyze/rules/caller_cost.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kStatStormLimits[] = {
    {"stats", 32, "of a file by each rank, at least"},
};

void look_for_stat_storm(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene.count(at(kStatStormLimits, "stats"));
  const CallerCost around = caller_cost(run);
  Offenders offenders(run);
  std::int64_t stats = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.stats < often * use.ranks) return;
    // Opens, closes and seeks share the metadata time; they are no cheaper than a stat.
    const double share =
        static_cast<double>(use.stats - use.ranks) / static_cast<double>(use.stats + 2 * use.opens + use.seeks);
    const double lost = use.meta_seconds * share + around.stat * real_of(use.stats - use.ranks);
    offenders.add(file, use, lost, fmt::format("{} stat calls", grouped(use.stats)));
    stats += use.stats, seconds += use.meta_seconds;
  });
  Finding finding;
  finding.title = fmt::format("{} stat calls on {}", grouped(stats), offenders.names());
  finding.evidence = {fmt::format("metadata of these files took {}", timed(seconds))};
  finding.formula = fmt::format("{} of metadata time, for the share of stat calls beyond one per rank{}",
                                timed(seconds), around.words(around.stat, "call"));
  conclude(offenders, std::move(finding), out, around.stat > 0 ? Bound::kRun : Bound::kTimeInIo);
}

}  // namespace

const Rule kStatStorm = {
    "stat-storm",
    "files asked about again and again",
    "Each stat is a question to the metadata server, which all jobs share.",
    "Ask once and remember the answer; open the file and use fstat; let readdir tell types (d_type).",
    "the files' metadata time, for the share of stat calls beyond one per rank and file",
    look_for_stat_storm,
    kStatStormLimits};

}  // namespace trikal::analyze
