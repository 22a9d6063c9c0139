#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

void look_for_short_transfers(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  std::int64_t sum = 0;
  for (const ExtraUse& extra : run.extras) sum += extra.short_writes;
  Finding finding;
  for (const FileUse& file : single_files(run)) {
    if (run.extra(file).short_writes == 0) continue;
    finding.files.push_back({std::string(file.name), 0,
                             grouped(run.extra(file).short_writes) +
                                 (run.extra(file).short_writes == 1 ? " short write" : " short writes")});
  }
  if (sum == 0) return;
  finding.title = fmt::format("{} write{} wrote less than asked", grouped(sum), sum == 1 ? "" : "s");
  finding.formula = "not estimated";
  finding.severity = Severity::kMedium;
  mention(std::move(finding), out);
}

}  // namespace

const Rule kShortTransfers = {"short-transfers",
                              "writes that did less than asked",
                              "Data is missing unless the program writes the rest; disks that are nearly full, quotas "
                              "and signals are the usual reasons.",
                              "Check the result of every write and go on from there; look at quota and space.",
                              "none: it is about right data, not about time",
                              look_for_short_transfers};

}  // namespace trikal::analyze
