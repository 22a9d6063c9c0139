#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/caller_cost.hpp"
#include "analyze/rules/flows.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

void look_for_flushed_lines(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const CallerCost around = caller_cost(run);
  Offenders offenders(run);
  std::int64_t calls = 0, bytes = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (!comes_flushed(run, file, kWrites, use)) return;
    const double taken = seconds_of_writes(run, file, use);
    const double lost =
        taken - scene.baseline.write.seconds_for(use.write.bytes) + around.flush * real_of(use.write.calls);
    offenders.add(
        file, use, lost,
        fmt::format("{} writes of {}, one behind the other", grouped(use.write.calls), sized(use.write.mean_bytes())));
    calls += use.write.calls, bytes += use.write.bytes, seconds += taken;
  });
  Finding finding;
  finding.title = fmt::format("{} lines of {} on average go to the file one by one: {}", grouped(calls),
                              sized(real_of(bytes) / real_of(std::max<std::int64_t>(1, calls))), offenders.names());
  finding.evidence = {
      "every one of them ends a write of its own, whatever buffer the stream has: they are flushed, or there is "
      "no buffer"};
  finding.formula = fmt::format("{} of writing, less {} at {}{}, by rank", timed(seconds), sized(real_of(bytes)),
                                rate_words(scene.baseline.write), around.words(around.flush, "flush"));
  conclude(offenders, std::move(finding), out, around.flush > 0 ? Bound::kRun : Bound::kTimeInIo);
}

}  // namespace

const Rule kFlushedLines = {"flushed-lines",
                            "lines that are written to the file one by one",
                            "Each line is a system call; on a parallel file system it may be a round trip to a server. "
                            "A larger buffer does not help "
                            "while every line is flushed.",
                            "Remove the flush: '\\n' instead of std::endl in C++, no flush(unit) and no "
                            "GFORTRAN_UNBUFFERED_ALL in Fortran, print "
                            "without flush=True and files without buffering=1 in Python; a program that calls write "
                            "itself collects lines in a buffer.",
                            "time of the writes, less what their bytes take at the best rate of this run",
                            look_for_flushed_lines,
                            kFlushedLinesLimits};

}  // namespace trikal::analyze
