#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSeekPerAccessLimits[] = {
    {"share", 0.5, "seeks for each access, at least"},
    {"seeks", 1000, "of a file, at least"},
};

// A seek asks no server: what metadata calls take beyond this is opening and closing. Python and streams add to it.
constexpr double kSeek = 1e-6;

void look_for_seek_per_access(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene[at(kSeekPerAccessLimits, "share")];
  const auto many = scene.count(at(kSeekPerAccessLimits, "seeks"));
  Offenders offenders(run);
  std::int64_t seeks = 0, calls = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.seeks < many || static_cast<double>(use.seeks) < often * static_cast<double>(use.calls())) return;
      if (run.use(file, Layer::kMpiio)) return;  // ROMIO's, and nothing that a program can leave out
      const double share = static_cast<double>(use.seeks) / static_cast<double>(use.seeks + 2 * use.opens + use.stats);
      offenders.add(file, use, std::min(use.meta_seconds * share, kSeek * static_cast<double>(use.seeks)),
                    fmt::format("{} seeks for {} accesses", grouped(use.seeks), grouped(use.calls())));
      seeks += use.seeks, calls += use.calls();
    });
  }
  Finding finding;
  finding.title = fmt::format("{} seeks for {} accesses: {}", grouped(seeks), grouped(calls), offenders.names());
  finding.formula = "metadata time of these files, for the share of seeks in it, at most a microsecond each";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kSeekPerAccess = {
    "seek-per-access",
    "a seek before nearly every access",
    "A seek is a system call of its own, and on a stream it throws the buffer away.",
    "Use pread and pwrite, which take the offset themselves; on streams read a larger piece and move in memory.",
    "the files' metadata time, for the share of seeks in it, at most a microsecond each",
    look_for_seek_per_access,
    kSeekPerAccessLimits};

}  // namespace trikal::analyze
