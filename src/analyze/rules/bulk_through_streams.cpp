#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kBulkThroughStreamsLimits[] = {
    {"bytes", 64.0 * 1024 * 1024, "of a stream, at least"},
    {"share", 0.1, "of all bytes go through streams, at least"},
};

void look_for_bulk_through_streams(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto bulk = scene.count(at(kBulkThroughStreamsLimits, "bytes"));
  const auto share = scene[at(kBulkThroughStreamsLimits, "share")];
  const double all = static_cast<double>(run.bytes_read() + run.bytes_written());
  const auto streams = static_cast<double>(run.layer(Layer::kStdio).total.bytes());
  if (streams < share * all) return;
  Offenders offenders(run);
  for_each_use(run, Layer::kStdio, [&](const FileUse& file, const Use& use) {
    const double lost = use.read.seconds + use.write.seconds - scene.baseline.seconds_for(use);
    if (use.bytes() < bulk || lost <= 0 || is_pipe(file.name)) return;
    offenders.add(file, use, lost,
                  fmt::format("{} in {} calls", sized(static_cast<double>(use.bytes())), grouped(use.calls())));
  });
  Finding finding;
  finding.title =
      fmt::format("{:.0f} % of all bytes go through stdio streams: {}", 100 * streams / all, offenders.names());
  finding.formula = "time on these streams, less what the bytes take at the best rate of this run";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kBulkThroughStreams = {
    "bulk-through-streams",
    "large data through stdio streams",
    "A stream copies everything through a small buffer and passes it on in pieces of 4 KiB.",
    "Use read and write (or MPI-IO, HDF5) with large buffers for bulk data, or give the stream a buffer of a megabyte "
    "with setvbuf.",
    "time of reading and writing on the streams, less what the bytes take at the best rate of this run",
    look_for_bulk_through_streams,
    kBulkThroughStreamsLimits};

}  // namespace trikal::analyze
