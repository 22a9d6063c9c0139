#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kReadWriteSwitchesLimits[] = {
    {"share", 0.25, "of the accesses of a file, at least"},
    {"switches", 1000, "of a file, at least"},
};

void look_for_read_write_switches(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene[at(kReadWriteSwitchesLimits, "share")];
  const auto many = scene.count(at(kReadWriteSwitchesLimits, "switches"));
  constexpr double kCost = 0.1;
  Offenders offenders(run);
  std::int64_t switches = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const double share =
        static_cast<double>(use.switches) / static_cast<double>(std::max<std::int64_t>(1, use.calls()));
    if (use.switches < many || share < often) return;
    offenders.add(file, use, kCost * share * (use.read.seconds + use.write.seconds),
                  fmt::format("{} switches in {} calls", grouped(use.switches), grouped(use.calls())));
    switches += use.switches;
  });
  Finding finding;
  finding.title = fmt::format("{} switches between reading and writing: {}", grouped(switches), offenders.names());
  finding.formula = "a tenth of the time of reading and writing, for the share of calls that change direction";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kReadWriteSwitches = {
    "read-write-switches",
    "reading and writing the same file alternately",
    "Each switch may flush what was written and throw away what was read ahead; parallel file systems hand locks over.",
    "Read a batch, work on it in memory, write the batch; or write to a second file.",
    "a tenth of the time of reading and writing, for the share of calls that change direction: the cost of a switch is "
    "not measured",
    look_for_read_write_switches,
    kReadWriteSwitchesLimits};

}  // namespace trikal::analyze
