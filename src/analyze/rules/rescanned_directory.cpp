#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kRescannedDirectoryLimits[] = {
    {"scans", 16, "of a directory by each rank, at least"},
};

void look_for_rescanned_directory(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  std::int64_t scans = 0;
  const std::int64_t ranks = std::max<std::int64_t>(1, run.job->nprocs);
  for (const FileUse& file : single_files(run)) {
    const ExtraUse& extra = run.extra(file);
    if (extra.opendirs < scene.count(at(kRescannedDirectoryLimits, "scans")) * ranks) continue;
    offenders.add(file, one_rank(), extra.seconds * (1 - real_of(ranks) / real_of(extra.opendirs)) / run.concurrency,
                  fmt::format("{} scans, {} entries", grouped(extra.opendirs), grouped(extra.readdirs)));
    scans += extra.opendirs;
  }
  Finding finding;
  finding.title = fmt::format("{} scans of the same directories: {}", grouped(scans), offenders.names());
  finding.formula = "time in calls on these directories, but one scan a rank";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // no layer counts this time
}

}  // namespace

const Rule kRescannedDirectory = {"rescanned-directory",
                                  "a directory listed again and again",
                                  "A listing of a large directory on a parallel file system asks several servers; "
                                  "waiting for a file to appear by listing keeps them busy.",
                                  "List once and remember; wait with inotify, a lock or a message instead of looking "
                                  "again; sleep longer between looks.",
                                  "time in calls on the directory, but one scan a rank",
                                  look_for_rescanned_directory,
                                  kRescannedDirectoryLimits};

}  // namespace trikal::analyze
