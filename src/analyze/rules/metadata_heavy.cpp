#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kMetadataHeavyLimits[] = {
    {"share", 0.5, "of the time in I/O, at least"},
    {"seconds", 0.05, "of metadata, at least"},
    {"run", 0.01, "of the run, of a rank on average, at least"},
};

void look_for_metadata_heavy(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto mostly = scene[at(kMetadataHeavyLimits, "share")];
  const auto worth = scene[at(kMetadataHeavyLimits, "seconds")];
  const Use &posix = run.layer(Layer::kPosix).total, &stdio = run.layer(Layer::kStdio).total;
  const double meta = posix.meta_seconds + stdio.meta_seconds, all = posix.seconds() + stdio.seconds();
  if (all <= 0 || meta < mostly * all || meta < worth) return;
  if (meta / run.concurrency < scene[at(kMetadataHeavyLimits, "run")] * run.seconds) return;
  Finding finding;
  finding.title =
      fmt::format("{:.0f} % of the time in I/O is metadata: {} of {}", 100 * meta / all, timed(meta), timed(all));
  finding.evidence = {fmt::format("{} opens, {} stat calls, {} seeks", grouped(posix.opens + stdio.opens),
                                  grouped(posix.stats), grouped(posix.seeks + stdio.seeks))};
  finding.formula = "not counted again: see reopen, stat-storm and many-small-files";
  finding.severity = severity_of(meta / run.concurrency, run);
  constexpr std::int64_t kFew = 10, kFewCalls = 4;  // of a file
  const std::int64_t calls = posix.opens + stdio.opens + posix.stats + posix.seeks + stdio.seeks;
  if (run.file_count() < kFew)
    finding.fix = calls <= kFewCalls * run.file_count()
                      ? "The calls are few and each is slow: creating a file, or freeing the blocks of an old one "
                        "(O_TRUNC), takes "
                        "long on this file system. Write over files that are there, or put these files elsewhere."
                      : "Open each file once and keep it open; ask about it once (fstat), and read and write with "
                        "pread and pwrite, "
                        "which need no seeks.";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kMetadataHeavy = {
    "metadata-heavy",
    "more time in opens and stats than in reads and writes",
    "Metadata servers are few and shared by all jobs; nothing is moved while a process waits for them.",
    "Open fewer files, open them once, ask less about them; put small files into a container.",
    "none of its own: the rules about opens, stats and small files count the seconds",
    look_for_metadata_heavy,
    kMetadataHeavyLimits};

}  // namespace trikal::analyze
