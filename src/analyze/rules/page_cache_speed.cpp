#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kPageCacheSpeedLimits[] = {
    {"bytes", 16.0 * 1024 * 1024, "read back, at least"},
    {"rate", 512.0 * 1024 * 1024, "bytes per second and rank, at least"},
};

void look_for_page_cache_speed(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Finding finding;
  double bytes = 0, seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.read.bytes < scene.count(at(kPageCacheSpeedLimits, "bytes")) || use.write.bytes == 0 ||
        use.read.seconds <= 0)
      return;
    // One access that had to wait for a processor says nothing about the others.
    const double waited = use.read.calls > 1 ? use.read.longest_seconds : 0, rest = use.read.seconds - waited;
    if (rest <= 0) return;
    const double rate = real_of(use.read.bytes - (waited > 0 ? use.read.longest_bytes : 0)) / rest;
    if (use.read.first < use.write.last || rate < scene[at(kPageCacheSpeedLimits, "rate")]) return;
    bytes += real_of(use.read.bytes), seconds += use.read.seconds;
    finding.files.push_back(
        {std::string(file.name), 0,
         fmt::format("{} read at {}/s right after it was written", sized(real_of(use.read.bytes)), sized(rate))});
  });
  if (finding.files.empty()) return;
  finding.title = fmt::format("{}/s of reading is the speed of memory, not of storage", sized(bytes / seconds));
  finding.evidence = {fmt::format("{} came out of the page cache, where writing had left them", sized(bytes))};
  finding.formula = "not estimated: nothing is lost, but the number is no measure of the file system";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kPageCacheSpeed = {"page-cache-speed",
                              "reading so fast that it was the page cache",
                              "Data that was just written is still in memory. Another node, or the next job, will read "
                              "at the speed of the storage.",
                              "To measure storage, fsync and posix_fadvise(POSIX_FADV_DONTNEED) before reading, read "
                              "from another node, or read more than memory holds.",
                              "none: nothing is lost",
                              look_for_page_cache_speed,
                              kPageCacheSpeedLimits};

}  // namespace trikal::analyze
