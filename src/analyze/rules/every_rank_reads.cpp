#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kEveryRankReadsLimits[] = {
    {"ranks", 4, "that read the file, at least"},
    {"share", 0.9, "of the file read by each of them, at least"},
};

void look_for_every_rank_reads(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  if (!run.is_parallel_job()) return;
  Offenders offenders(run);
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.ranks < scene.count(at(kEveryRankReadsLimits, "ranks")) || use.read.end <= 0) return;
      const double times = real_of(use.read.bytes) / real_of(use.read.end);
      if (times < scene[at(kEveryRankReadsLimits, "share")] * real_of(use.ranks)) return;
      offenders.add(file, use, use.read.seconds * (1 - 1 / real_of(use.ranks)),
                    fmt::format("{} ranks read {} of a file of {}", grouped(use.ranks), sized(real_of(use.read.bytes)),
                                sized(real_of(use.read.end))));
    });
  }
  Finding finding;
  finding.title = fmt::format("every rank reads all of {}", offenders.names());
  finding.formula = "time of reading, times 1 - 1/ranks, by rank";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kEveryRankReads = {
    "every-rank-reads",
    "a file that every rank reads in full",
    "The servers deliver the same bytes as often as there are ranks; the network between ranks is faster.",
    "Let one rank read and MPI_Bcast, or read collectively; put input that never changes on node-local storage.",
    "time of reading the file, times 1 - 1/ranks",
    look_for_every_rank_reads,
    kEveryRankReadsLimits};

}  // namespace trikal::analyze
