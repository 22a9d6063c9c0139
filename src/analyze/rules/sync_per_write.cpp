#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/journals.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSyncPerWriteLimits[] = {
    {"share", 0.1, "syncs for each write, at least"},
    {"syncs", 16, "of a file by each rank, at least"},
};

void look_for_sync_per_write(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene[at(kSyncPerWriteLimits, "share")];
  const auto many = scene.count(at(kSyncPerWriteLimits, "syncs"));
  constexpr double kPlainWrite = 5e-6;
  Offenders offenders(run);
  std::int64_t syncs = 0, writes = 0;
  double seconds = 0;
  const Journals journals(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (journals.have(file)) return;  // no-transactions says what these syncs are for
    const std::int64_t map_syncs = run.extra(file).map_syncs;
    if (map_syncs >= many * use.ranks) {
      offenders.add(file, use, run.extra(file).seconds * (1 - real_of(use.ranks) / real_of(map_syncs)),
                    fmt::format("{} syncs of a map", grouped(map_syncs)));
      syncs += map_syncs, seconds += run.extra(file).seconds;
      return;
    }
    if (use.syncs < many * use.ranks || static_cast<double>(use.syncs) < often * static_cast<double>(use.write.calls))
      return;
    const double plain =
        kPlainWrite * static_cast<double>(use.write.calls) + scene.baseline.write.seconds_for(use.write.bytes);
    const double known = run.extra(file).sync_seconds;
    const double in_syncs = known > 0 ? known : std::max(0.0, use.write.seconds - plain);
    const double lost = in_syncs * (1 - static_cast<double>(use.ranks) / static_cast<double>(use.syncs));
    offenders.add(file, use, lost, fmt::format("{} syncs for {} writes", grouped(use.syncs), grouped(use.write.calls)));
    syncs += use.syncs, writes += use.write.calls, seconds += use.write.seconds;
  });
  Finding finding;
  finding.title = fmt::format("{} syncs for {} writes: {}", grouped(syncs), grouped(writes), offenders.names());
  finding.evidence = {fmt::format("writing and syncing took {}", timed(seconds))};
  finding.formula = fmt::format(
      "{} of writing and syncing, less 5 us a write and the bytes' own time, but one sync a "
      "rank",
      timed(seconds));
  conclude(offenders, std::move(finding), out, Bound::kRun);  // no layer counts the time of maps
}

}  // namespace

const Rule kSyncPerWrite = {"sync-per-write",
                            "fsync after every few writes",
                            "fsync waits until the data is on stable storage; caches and write-behind are of no use.",
                            "Sync once when a consistent state is reached (at the end of a checkpoint), not after each "
                            "record; use fdatasync where times need not be exact.",
                            "time of writing and syncing, less 5 us for every write and what the bytes take at the "
                            "best rate of this run, but one sync a rank",
                            look_for_sync_per_write,
                            kSyncPerWriteLimits};

}  // namespace trikal::analyze
