#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

void look(const Run& run, const Yardstick& /*yardstick*/, const Rule& /*rule*/, std::vector<Finding>& out) {
  constexpr double kTwice = 2;
  constexpr std::int64_t kEnough = 1024 * 1024;
  Culprits culprits(run);
  std::int64_t bytes = 0, length = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const Flow& read = use.read;
      if (read.end <= 0 || read.bytes < kEnough) return;
      const double times = static_cast<double>(read.bytes) / static_cast<double>(read.end);
      if (times < kTwice) return;
      culprits.add(file, use, read.seconds * (1 - 1 / times),
                   fmt::format("{} read of a file of {}: {:.1f} times", sized(static_cast<double>(read.bytes)),
                               sized(static_cast<double>(read.end)), times));
      bytes += read.bytes, length += read.end;
    });
  }
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  finding.title = fmt::format("{} read of files that hold {}: {}", sized(static_cast<double>(bytes)),
                              sized(static_cast<double>(length)), culprits.names());
  finding.formula = "time of reading times (1 - length / bytes read), by file and rank";
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

}  // namespace

const Rule kReread = {
    "reread",
    "the same bytes read again",
    "What was read once could have stayed in memory; with many ranks each reads what one could broadcast.",
    "Keep what was read; with MPI let one rank read and MPI_Bcast, or read collectively.",
    "time of reading, for the share of bytes beyond the file's length",
    look};

}  // namespace trikal::analyze
