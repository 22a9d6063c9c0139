#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/caller_cost.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kManySmallFilesLimits[] = {
    {"bytes", 256.0 * 1024, "of a small file, at most"},
    {"files", 1000, "small ones for every rank, at least"},
};

void look_for_many_small_files(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto small = scene.count(at(kManySmallFilesLimits, "bytes"));
  const auto many = static_cast<std::size_t>(scene.count(at(kManySmallFilesLimits, "files")));
  const CallerCost around = caller_cost(run);
  Offenders offenders(run);
  std::int64_t bytes = 0;
  double seconds = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.opens == 0 || use.bytes() == 0 || std::max(use.read.end, use.write.end) > small) return;
      // In one file the bytes are moved, too; what is left of opening it is one file's share.
      const double took = use.seconds() + run.extra(file).seconds;
      offenders.add(file, use, took - scene.baseline.seconds_for(use) + around.open * real_of(use.opens),
                    fmt::format("{} in it", sized(static_cast<double>(use.bytes()))));
      bytes += use.bytes(), seconds += took;
    });
  }
  if (offenders.count() < many * static_cast<std::size_t>(std::max<std::int64_t>(1, run.job->nprocs))) return;
  Finding finding;
  const auto count = static_cast<std::int64_t>(offenders.count());
  finding.title = fmt::format("{} files of {} on average", grouped(count),
                              sized(static_cast<double>(bytes) / static_cast<double>(count)));
  finding.evidence = {fmt::format("opening, reading, writing and closing them took {}", timed(seconds))};
  finding.formula = fmt::format("{} in all calls on {} files, less what the bytes take at the best rate{}",
                                timed(seconds), grouped(count), around.words(around.open, "open"));
  // What the program itself does to open a file is lost with it, and is not in the log.
  finding.least = 0.7 * offenders.seconds(), finding.most = 3 * offenders.seconds();
  conclude(offenders, std::move(finding), out, around.open > 0 ? Bound::kRun : Bound::kTimeInIo);
}

}  // namespace

const Rule kManySmallFiles = {
    "many-small-files",
    "thousands of small files",
    "Each file costs an open, a close and an entry in a directory that all processes share; "
    "the bytes are the least of it.",
    "Put many into one: a container (HDF5, SQLite, tar, zip), one file per node instead of one "
    "per task, or appending with an index.",
    "time in all calls on those files, less what their bytes take at the best rate of this run",
    look_for_many_small_files,
    kManySmallFilesLimits};

}  // namespace trikal::analyze
