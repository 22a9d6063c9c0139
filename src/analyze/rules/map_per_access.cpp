#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kMapPerAccessLimits[] = {
    {"maps", 256, "of a file by each rank, at least"},
};

void look_for_map_per_access(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  std::int64_t maps = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.maps < scene.count(at(kMapPerAccessLimits, "maps")) * use.ranks) return;
    const double share = 1 - real_of(use.ranks) / real_of(use.maps);
    offenders.add(file, use, run.extra(file).seconds * share,
                  fmt::format("{} mappings of {} on average", grouped(use.maps),
                              sized(real_of(run.extra(file).mapped_bytes) / real_of(use.maps))));
    maps += use.maps;
  });
  Finding finding;
  finding.title = fmt::format("mapped and unmapped {} times: {}", grouped(maps), offenders.names());
  finding.formula = "time in mmap, munmap and msync of these files, but one mapping a rank";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // no layer counts this time
}

}  // namespace

const Rule kMapPerAccess = {
    "map-per-access",
    "a file mapped again for every access",
    "Each mapping builds page tables and each unmapping tears them down on all processors; the faults come on top.",
    "Map the file once and keep the mapping, or use pread and pwrite for single accesses.",
    "time in calls on the mappings, but one mapping a rank",
    look_for_map_per_access,
    kMapPerAccessLimits};

}  // namespace trikal::analyze
