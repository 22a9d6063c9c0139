#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/flows.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kMisalignedLimits[] = {
    {"share", 0.1, "of the accesses of a file, at least"},
    {"bytes", 64.0 * 1024, "of an access on average, at least"},
    {"calls", 1000, "misaligned accesses of a file, at least"},
};

void look_for_misaligned(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene[at(kMisalignedLimits, "share")];
  const auto large = scene[at(kMisalignedLimits, "bytes")];
  const auto many = scene.count(at(kMisalignedLimits, "calls"));
  constexpr double kCost = 0.2;
  Offenders offenders(run);
  std::int64_t misaligned = 0, calls = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const double share =
        use.calls() > 0 ? static_cast<double>(use.misaligned_file) / static_cast<double>(use.calls()) : 0;
    // Small accesses in order are the page cache's business; small-writes speaks of those.
    const double mean = static_cast<double>(use.bytes()) / static_cast<double>(std::max<std::int64_t>(1, use.calls()));
    if (use.misaligned_file < many || share < often || mean < large) return;
    const double beyond = use.read.seconds + seconds_of_writes(run, file, use) - scene.baseline.seconds_for(use);
    if (beyond <= 0) return;
    offenders.add(file, use, kCost * share * beyond,
                  fmt::format("{} of {} accesses not at a multiple of {}", grouped(use.misaligned_file),
                              grouped(use.calls()), sized(static_cast<double>(use.alignment))));
    misaligned += use.misaligned_file, calls += use.calls();
  });
  Finding finding;
  finding.title = fmt::format("{} of {} accesses begin in the middle of a block: {}", grouped(misaligned),
                              grouped(calls), offenders.names());
  finding.formula = "a fifth of the time beyond what the bytes take, for the share that is not aligned";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kMisaligned = {"misaligned",
                          "accesses that begin in the middle of a block",
                          "A write of part of a block makes the file system read the rest of it first; on a parallel "
                          "file system two ranks may then want the same block.",
                          "Let records begin at multiples of the block or stripe size (H5Pset_alignment, padding, "
                          "MPI-IO collective buffering).",
                          "a fifth of the time of the accesses beyond what their bytes take, for the share that is not "
                          "aligned: the cost itself is not measured",
                          look_for_misaligned,
                          kMisalignedLimits};

}  // namespace trikal::analyze
