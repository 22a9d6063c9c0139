#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kDiscardedOutputLimits[] = {
    {"bytes", 1024.0 * 1024, "written to a file, at least"},
};

void look_for_discarded_output(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  double bytes = 0;
  for (const FileUse& file : single_files(run)) {
    if (run.extra(file).unlinks == 0 || run.extra(file).renames > 0 || run.extra(file).mapped_bytes > 0) continue;
    std::int64_t written = 0, others = 0;
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use) continue;
      written += use->write.bytes, others += use->read.calls + use->maps;
    }
    if (others > 0 || written < scene.count(at(kDiscardedOutputLimits, "bytes"))) continue;
    bytes += real_of(written);
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      if (const auto use = run.use(file, layer))
        offenders.add(file, *use, use->seconds(),
                      fmt::format("{} written, never read, removed", sized(real_of(written))));
    }
  }
  Finding finding;
  finding.title = fmt::format("{} written, never read and removed again: {}", sized(bytes), offenders.names());
  finding.formula = "all time in calls on these files";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kDiscardedOutput = {"discarded-output",
                               "files written, never read and removed in the same run",
                               "Nobody in this run used the data; it cost the time of writing it.",
                               "Do not write it; if it is for the case of a crash, write it less often or to "
                               "node-local storage; if another program reads it meanwhile, use a pipe.",
                               "time of all calls on files that were written, not read, and removed in the same run",
                               look_for_discarded_output,
                               kDiscardedOutputLimits};

}  // namespace trikal::analyze
