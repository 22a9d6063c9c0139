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
      const Flow& write = use.write;
      if (write.end <= 0 || write.bytes < kEnough) return;
      const double times = static_cast<double>(write.bytes) / static_cast<double>(write.end);
      if (times < kTwice) return;
      culprits.add(file, use, write.seconds * (1 - 1 / times),
                   fmt::format("{} written to a file of {}: {:.1f} times", sized(static_cast<double>(write.bytes)),
                               sized(static_cast<double>(write.end)), times));
      bytes += write.bytes, length += write.end;
    });
  }
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  finding.title = fmt::format("{} written to files that hold {}: {}", sized(static_cast<double>(bytes)),
                              sized(static_cast<double>(length)), culprits.names());
  finding.formula = "time of writing times (1 - length / bytes written), by file and rank";
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

}  // namespace

const Rule kRewrite = {"rewrite",
                       "the same bytes written again",
                       "Only the last version stays; all others were work for nothing.",
                       "Build the final content in memory and write it once, or append instead of starting over.",
                       "time of writing, for the share of bytes beyond the file's length",
                       look};

}  // namespace trikal::analyze
