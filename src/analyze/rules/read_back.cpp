#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kReadBackLimits[] = {
    {"bytes", 1024.0 * 1024, "read, at least"},
    {"share", 0.5, "of what was written before, at least"},
};

void look_for_read_back(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  double bytes = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.read.bytes < scene.count(at(kReadBackLimits, "bytes")) || use.write.bytes == 0) return;
      if (real_of(use.read.bytes) < scene[at(kReadBackLimits, "share")] * real_of(use.write.bytes)) return;
      if (use.read.first < use.write.last) return;  // alternating: that is a file in use, not one read back
      offenders.add(
          file, use, use.read.seconds,
          fmt::format("{} written, then {} read", sized(real_of(use.write.bytes)), sized(real_of(use.read.bytes))));
      bytes += real_of(use.read.bytes);
    });
  }
  Finding finding;
  finding.title = fmt::format("{} read that this run has written itself: {}", sized(bytes), offenders.names());
  finding.formula = "time of reading files that were written before, by rank";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kReadBack = {
    "read-back",
    "data written and read back in the same run",
    "What a program has written it still had in memory; on another node or after other files it comes from the disks.",
    "Keep the data in memory or on node-local storage between the steps; hand it on through a pipe or shared memory.",
    "time of reading files that were written before in the same run",
    look_for_read_back,
    kReadBackLimits};

}  // namespace trikal::analyze
