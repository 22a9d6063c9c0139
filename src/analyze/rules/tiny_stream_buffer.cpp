#include <fmt/format.h>

#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kTinyStreamBufferLimits[] = {
    {"calls", 10000, "reads or writes of a stream, at least"},
    {"bytes", 1024, "of a call on average, at most"},
    // A call that stays in the buffer takes some 50 ns with the observing, one that enters the system 400 and more.
    {"seconds", 0.2e-6, "of a call on average, at least"},
};

void look_for_tiny_stream_buffer(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  constexpr double kBuffered = 100e-9;
  Offenders offenders(run);
  std::int64_t calls = 0;
  for_each_use(run, Layer::kStdio, [&](const FileUse& file, const Use& use) {
    if (is_pipe(file.name)) return;  // a call that waits for the reader has no bad buffer
    for (const Direction* direction : {&kReads, &kWrites}) {
      const Flow& flow = use.*direction->flow;
      if (flow.calls < scene.count(at(kTinyStreamBufferLimits, "calls")) ||
          flow.mean_bytes() > scene[at(kTinyStreamBufferLimits, "bytes")])
        continue;
      // Flushing and seeking empty the buffer, too; other rules speak of those.
      if (4 * use.syncs > flow.calls || 2 * use.seeks > flow.calls) continue;
      // The longest had to wait for a processor or a disk.
      const double each = (flow.seconds - flow.longest_seconds) / real_of(flow.calls);
      if (each < scene[at(kTinyStreamBufferLimits, "seconds")]) continue;
      const Rate& rate = scene.baseline.*direction->rate;
      offenders.add(file, use, flow.seconds - kBuffered * real_of(flow.calls) - rate.seconds_for(flow.bytes),
                    fmt::format("{} {} of {}, {} each", grouped(flow.calls), direction->calls, sized(flow.mean_bytes()),
                                timed(each)));
      calls += flow.calls;
    }
  });
  Finding finding;
  finding.title =
      fmt::format("{} small calls on streams, each as slow as a system call: {}", grouped(calls), offenders.names());
  finding.formula = "time of the calls, less 100 ns for each and the bytes' own time";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kTinyStreamBuffer = {
    "tiny-stream-buffer",
    "streams without a buffer worth the name",
    "A stream with a buffer answers in nanoseconds and asks the system once for many calls; these ask every time.",
    "Do not switch buffering off (setvbuf with _IONBF or _IOLBF, stderr); give the stream a buffer of 64 KiB or more "
    "with setvbuf before the first call.",
    "time of small calls on the stream, less 100 ns for each and what the bytes take",
    look_for_tiny_stream_buffer,
    kTinyStreamBufferLimits};

}  // namespace trikal::analyze
