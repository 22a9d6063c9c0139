#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kTemporaryChurnLimits[] = {
    {"files", 20, "written and removed, at least"},
};

void look_for_temporary_churn(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto many = static_cast<std::size_t>(scene.count(at(kTemporaryChurnLimits, "files")));
  Offenders offenders(run);
  std::int64_t bytes = 0;
  for (const FileUse& file : single_files(run)) {
    // What was linked before goes on under its other name, as git's objects do.
    if (run.extra(file).unlinks <= run.extra(file).linked) continue;
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use || use->write.bytes == 0) continue;
      // In memory the bytes must be copied as well.
      const double moving = use->read.seconds + use->write.seconds - scene.baseline.seconds_for(*use);
      offenders.add(file, *use, use->meta_seconds + run.extra(file).seconds + std::max(0.0, moving),
                    fmt::format("{} written, then removed", sized(static_cast<double>(use->write.bytes))));
      bytes += use->write.bytes;
      break;
    }
  }
  if (offenders.count() < many) return;
  Finding finding;
  finding.title = fmt::format("{} files with {} written and removed again: {}",
                              grouped(static_cast<std::int64_t>(offenders.count())), sized(static_cast<double>(bytes)),
                              offenders.names());
  finding.formula =
      "metadata time of files that were written and removed in this run, and time of moving their bytes beyond what "
      "those take";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kTemporaryChurn = {
    "temporary-churn",
    "files written only to be removed",
    "Data goes to storage and is thrown away; on a parallel file system each removal is a metadata operation, too.",
    "Keep intermediate data in memory (pipes, memfd_create, tmpfs) or in TMPDIR on the node.",
    "metadata time of files that were written and removed in the same run, and time of moving their bytes beyond what "
    "those take at the best rate of this run: memory must be filled, too",
    look_for_temporary_churn,
    kTemporaryChurnLimits};

}  // namespace trikal::analyze
