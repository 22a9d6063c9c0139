#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kFlushPerWriteLimits[] = {
    {"flushes", 100, "of a stream, at least"},
    {"share", 0.25, "flushes for each write, at least"},
};

void look_for_flush_per_write(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto many = scene.count(at(kFlushPerWriteLimits, "flushes"));
  const auto often = scene[at(kFlushPerWriteLimits, "share")];
  constexpr double kBuffered = 100e-9;
  Offenders offenders(run);
  std::int64_t flushes = 0, writes = 0;
  for_each_use(run, Layer::kStdio, [&](const FileUse& file, const Use& use) {
    if (use.syncs < many || static_cast<double>(use.syncs) < often * static_cast<double>(use.write.calls)) return;
    const double lost = use.write.seconds - kBuffered * static_cast<double>(use.write.calls) -
                        scene.baseline.write.seconds_for(use.write.bytes);
    if (lost <= 0) return;
    offenders.add(file, use, lost,
                  fmt::format("{} flushes for {} writes", grouped(use.syncs), grouped(use.write.calls)));
    flushes += use.syncs, writes += use.write.calls;
  });
  Finding finding;
  finding.title =
      fmt::format("{} flushes for {} writes to streams: {}", grouped(flushes), grouped(writes), offenders.names());
  finding.formula = "time of writing, less 100 ns a buffered write and the bytes' own time";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kFlushPerWrite = {
    "flush-per-write",
    "fflush after every few writes to a stream",
    "A stream collects small writes into large ones; flushing each takes that away and costs a system call.",
    "Leave flushing to fclose and the buffer; flush where another program must see the data; stderr and std::endl "
    "flush by themselves.",
    "time of writing to the stream, less its share without flushes (100 ns a call)",
    look_for_flush_per_write,
    kFlushPerWriteLimits};

}  // namespace trikal::analyze
