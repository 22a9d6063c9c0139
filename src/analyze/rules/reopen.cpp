#include <fmt/format.h>

#include "analyze/rules/caller_cost.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kReopenLimits[] = {
    {"opens", 16, "of a file by each rank, at least"},
};

void look_for_reopen(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto often = scene.count(at(kReopenLimits, "opens"));
  const CallerCost around = caller_cost(run);
  Offenders offenders(run);
  std::int64_t opens = 0;
  double seconds = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.opens < often * use.ranks || use.opens == 0) return;
      const double spent = use.meta_seconds + around.open * real_of(use.opens);
      const double lost = spent * real_of(use.opens - use.ranks) / real_of(use.opens);
      offenders.add(
          file, use, lost,
          fmt::format("{} opens by {} rank{}", grouped(use.opens), grouped(use.ranks), use.ranks == 1 ? "" : "s"));
      opens += use.opens, seconds += use.meta_seconds;
    });
  }
  Finding finding;
  finding.title = fmt::format("opened and closed {} times: {}", grouped(opens), offenders.names());
  finding.evidence = {fmt::format("opening, closing and asking about them took {}", timed(seconds))};
  finding.formula = fmt::format("{} of metadata time, less the share of one open for every rank{}", timed(seconds),
                                around.words(around.open, "open"));
  conclude(offenders, std::move(finding), out, around.open > 0 ? Bound::kRun : Bound::kTimeInIo);
}

}  // namespace

const Rule kReopen = {
    "reopen",
    "a file opened again and again",
    "An open asks the metadata server for name, permissions and locks; a close may wait for data.",
    "Open the file once before the loop and close it after; keep the descriptor or handle in the object that uses it.",
    "the file's metadata time, less one open's share for every rank",
    look_for_reopen,
    kReopenLimits};

}  // namespace trikal::analyze
