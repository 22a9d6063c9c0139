#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

void look(const Run& run, const Yardstick& yardstick, const Rule& /*rule*/, std::vector<Finding>& out) {
  constexpr std::int64_t kMany = 1000;
  constexpr double kHardly = 0.05, kSmall = 1024.0 * 1024;
  Culprits culprits(run);
  std::int64_t independent = 0;
  for_each_use(run, Layer::kMpiio, [&](const FileUse& file, const Use& use) {
    const double collective = static_cast<double>(use.collective),
                 all = collective + static_cast<double>(use.independent);
    const double mean = static_cast<double>(use.bytes()) / std::max(1.0, all);
    if (use.independent < kMany || use.ranks < 2 || collective > kHardly * all || mean > kSmall) return;
    const double lost = use.read.seconds + use.write.seconds - yardstick.seconds_for(use.bytes());
    if (lost <= 0) return;
    culprits.add(file, use, lost,
                 fmt::format("{} independent calls of {} by {} ranks", grouped(use.independent), sized(mean),
                             grouped(use.ranks)));
    independent += use.independent;
  });
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  finding.title =
      fmt::format("{} independent MPI-IO calls, hardly any collective: {}", grouped(independent), culprits.names());
  finding.formula = "time of reading and writing, less what the bytes take at the best rate of this run, by rank";
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

}  // namespace

const Rule kNoCollectives = {
    "no-collectives",
    "MPI-IO with independent calls only",
    "Collective calls let the library join the ranks' small pieces into large, ordered accesses; independent ones "
    "cannot be joined.",
    "Use MPI_File_write_at_all and MPI_File_read_at_all where all ranks take part; for HDF5 "
    "H5Pset_dxpl_mpio(H5FD_MPIO_COLLECTIVE).",
    "time of the small independent calls, less what their bytes take at the best rate of this run",
    look};

}  // namespace trikal::analyze
