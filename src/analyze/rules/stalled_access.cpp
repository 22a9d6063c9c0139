#include <fmt/format.h>

#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_stalled_access(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      for (const Direction* direction : {&kReads, &kWrites}) {
        const Flow& flow = use.*direction->flow;
        const double stall =
            stall_seconds(flow, scene[at(kStalledAccessLimits, "seconds")], scene[at(kStalledAccessLimits, "times")]);
        if (stall == 0) continue;
        const Rate& rate = scene.baseline.*direction->rate;
        offenders.add(file, one_rank(), stall - rate.seconds_for(flow.longest_bytes),
                      fmt::format("{} {} in {}, the other {} {} on average", sized(real_of(flow.longest_bytes)),
                                  direction->verb, timed(stall), grouped(flow.calls - 1), timed(mean_of_others(flow))));
      }
    });
  }
  Finding finding;
  finding.title = fmt::format("a single access took far longer than all others: {}", offenders.names());
  finding.formula = "seconds of the longest access of the file, less what its bytes take at the best rate of this run";
  // What is measured cannot be more; less, if the others would wait for something else.
  finding.least = offenders.seconds() / 2, finding.most = offenders.seconds();
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kStalledAccess = {
    "stalled-access",
    "one access that takes far longer than all others",
    "A cache that is full and must be written out, a lock, a disk that wakes up or a server that hangs: the program "
    "waits for all of them.",
    "If it is the last write or happens now and then: sync in the background (sync_file_range, a thread) before caches "
    "fill; if it is the first: open and allocate earlier (posix_fallocate); else ask who else used the file system.",
    "seconds of the longest access of the file, less what its bytes take at the best rate of this run",
    look_for_stalled_access,
    kStalledAccessLimits};

}  // namespace trikal::analyze
