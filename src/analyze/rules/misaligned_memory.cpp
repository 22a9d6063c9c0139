#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kMisalignedMemoryLimits[] = {
    {"calls", 1000, "of a file, at least"},
    {"share", 0.5, "of its accesses, at least"},
    {"bytes", 64.0 * 1024, "of an access on average, at least"},
};

void look_for_misaligned_memory(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Finding finding;
  std::int64_t misaligned = 0, calls = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.misaligned_memory < scene.count(at(kMisalignedMemoryLimits, "calls"))) return;
    if (real_of(use.misaligned_memory) < scene[at(kMisalignedMemoryLimits, "share")] * real_of(use.calls())) return;
    if (real_of(use.bytes()) < scene[at(kMisalignedMemoryLimits, "bytes")] * real_of(use.calls())) return;
    finding.files.push_back({std::string(file.name), 0,
                             fmt::format("{} of {} buffers not at a multiple of {}", grouped(use.misaligned_memory),
                                         grouped(use.calls()), sized(real_of(use.memory_alignment)))});
    misaligned += use.misaligned_memory, calls += use.calls();
  });
  if (finding.files.empty()) return;
  finding.title = fmt::format("{} of {} large accesses use buffers that are not aligned in memory", grouped(misaligned),
                              grouped(calls));
  finding.formula = "not estimated: it is the copying that is slower, and that is small beside the access";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kMisalignedMemory = {"misaligned-memory",
                                "large accesses with buffers that are not aligned",
                                "Copies from such buffers are slower, and direct I/O (O_DIRECT) refuses them.",
                                "Allocate with posix_memalign or aligned_alloc(4096, ...); in Fortran and NumPy use "
                                "aligned allocators for I/O buffers.",
                                "none: the cost of the copy is not measured",
                                look_for_misaligned_memory,
                                kMisalignedMemoryLimits};

}  // namespace trikal::analyze
