#include "analyze/rules/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/rules/journals.hpp"

namespace trikal::analyze {
namespace {

constexpr double kGoodSize = 1024.0 * 1024;

// What the same bytes would take in calls of 1 MiB, each as dear as one is now.
double seconds_in_large_calls(const Flow& flow, double seconds, const Rate& rate) {
  const double per_call = seconds / static_cast<double>(flow.calls);
  return rate.seconds_for(flow.bytes) + per_call * std::ceil(static_cast<double>(flow.bytes) / kGoodSize);
}

// The library of a language's streams made the writes, where call sites tell.
bool is_called_by_text(const Run& run, const FileUse& file) {
  return std::ranges::any_of(run.sites, [&file](const SiteUse& site) {
    constexpr std::string_view kStreams[] = {"libstdc++", "libc++", "libgfortran", "libflang", "libifcore"};
    return site.file == file.id && is_of(SiteKind::kWrites, site) &&
           std::ranges::any_of(kStreams, [&site](std::string_view name) {
             return site.object.find(name) != std::string::npos || site.through.find(name) != std::string::npos;
           });
  });
}

// The same few bytes again and again: back and forth, but nowhere that takes time.
bool covers_little(const Flow& flow) {
  constexpr std::int64_t kSmallFile = 64 * 1024;
  return flow.end > 0 && flow.end <= kSmallFile;
}

// The part of the calls whose cost is that of jumping. Offsets at random go backwards every other time; the limits are those
// that random-reads and random-writes have unless a site changes them.
double jumping_part(const Flow& flow) {
  if (covers_little(flow)) return 0;
  const auto calls = static_cast<double>(flow.calls), jumps = static_cast<double>(flow.calls - flow.sequential);
  if (jumps < kRandomLimits[at(kRandomLimits, "calls")].value ||
      jumps < kRandomLimits[at(kRandomLimits, "share")].value * calls)
    return 0;
  return std::min(1.0, 2 * jumps / calls);
}

// A stall would have come with calls of any size and order. The limits are those that stalled-access has unless a site changes them.
double seconds_of(const Run& run, const FileUse& file, const Use& use, const Direction& direction) {
  const double taken = direction.flow == &Use::write ? seconds_of_writes(run, file, use) : use.read.seconds;
  constexpr double kLeast = kStalledAccessLimits[at(kStalledAccessLimits, "seconds")].value;
  constexpr double kTimes = kStalledAccessLimits[at(kStalledAccessLimits, "times")].value;
  return std::max(0.0, taken - stall_seconds(use.*direction.flow, kLeast, kTimes));
}

}  // namespace

// Where nobody tells how long the syncs took, no write took longer than the longest.
double seconds_of_writes(const Run& run, const FileUse& file, const Use& use) {
  const Flow& flow = use.write;
  if (use.syncs == 0) return flow.seconds;
  if (const double known = run.extra(file).sync_seconds; known > 0) return std::max(0.0, flow.seconds - known);
  return flow.longest_seconds > 0 ? std::min(flow.seconds, static_cast<double>(flow.calls) * flow.longest_seconds)
                                  : flow.seconds;
}

// Reads and writes that nobody asked MPI-IO for: its own, around smaller ones.
bool is_sieved(const Run& run, const FileUse& file, const Direction& direction) {
  const auto mpi = run.use(file, Layer::kMpiio);
  if (!mpi) return false;
  const Flow& asked = *mpi.*direction.flow;
  return asked.calls == 0 && asked.bytes == 0 && mpi->calls() > 0;
}

// Text has lines of many lengths, and its writes lie one behind the other. A stream that is not flushed writes full buffers.
bool comes_flushed(const Run& run, const FileUse& file, const Direction& direction, const Use& use) {
  const Flow& flow = use.write;
  const auto limit = [](std::string_view name) {
    const auto found = std::ranges::find(kFlushedLinesLimits, name, &Limit::name);
    return found->value;
  };
  if (direction.flow != &Use::write || use.ranks > 1 || run.use(file, Layer::kMpiio)) return false;
  const auto calls = static_cast<double>(flow.calls);
  if (calls < limit("calls") || flow.mean_bytes() > limit("bytes")) return false;
  if (static_cast<double>(flow.consecutive) < limit("share") * calls) return false;
  if (is_called_by_text(run, file)) return true;
  constexpr std::size_t kLengths = 3;  // that a text has at least; records of a program have one or two
  std::size_t lengths = 0;
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    if (use.common_counts[i] > 0 && use.common_sizes[i] >= 4096) return false;
    if (use.common_counts[i] > 0) ++lengths;
  }
  return lengths >= kLengths;
}

double mean_of_others(const Flow& flow) {
  return flow.calls > 1 ? (flow.seconds - flow.longest_seconds) / static_cast<double>(flow.calls - 1) : 0;
}

double stall_seconds(const Flow& flow, double least, double times) {
  if (flow.calls < 2 || flow.longest_seconds < least) return 0;
  return flow.longest_seconds < times * mean_of_others(flow) ? 0 : flow.longest_seconds;
}

std::string rate_words(const Rate& rate) {
  const std::string_view basis = rate.basis == Rate::Basis::kMeasured         ? "the best of this run"
                                 : rate.basis == Rate::Basis::kOtherDirection ? "the best of the other direction"
                                                                              : "assumed, not measured";
  const std::string where =
      rate.basis == Rate::Basis::kAssumed && !rate.file_system.empty() ? fmt::format(" for {}", rate.file_system) : "";
  return fmt::format("{}/s ({}{})", sized(rate.bytes_per_second), basis, where);
}

void look_for_small(const Scene& scene, const Direction& direction, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const Rate& rate = scene.baseline.*direction.rate;
  const auto many = scene.count(at(kSmallLimits, "calls"));
  const auto mostly = scene[at(kSmallLimits, "share")];
  Offenders offenders(run);
  std::int64_t calls = 0, bytes = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const Flow& flow = use.*direction.flow;
    const auto small = static_cast<double>(flow.calls_below_100k());
    if (flow.calls < many || small < mostly * static_cast<double>(flow.calls)) return;
    if (is_pipe(file.name) || is_sieved(run, file, direction) || comes_flushed(run, file, direction, use)) return;
    // Calls that jump are a matter of order first: what those cost is random-reads' or random-writes' business.
    const double taken = seconds_of(run, file, use, direction);
    const double lost = (taken - seconds_in_large_calls(flow, taken, rate)) * (1 - jumping_part(flow));
    if (lost <= 0) return;
    offenders.add(
        file, use, lost,
        fmt::format("{} {} of {} on average", grouped(flow.calls), direction.calls, sized(flow.mean_bytes())));
    calls += flow.calls, bytes += flow.bytes, seconds += taken;
  });
  Finding finding;
  const double mean = static_cast<double>(bytes) / static_cast<double>(calls);
  finding.title =
      fmt::format("{} {} of {} on average: {}", grouped(calls), direction.calls, sized(mean), offenders.names());
  finding.evidence = {fmt::format("{} {} in {} calls took {}", sized(static_cast<double>(bytes)), direction.verb,
                                  grouped(calls), timed(seconds))};
  finding.formula = fmt::format("{} spent, less {} at {} in calls of 1 MiB, by rank", timed(seconds),
                                sized(static_cast<double>(bytes)), rate_words(rate));
  conclude(offenders, std::move(finding), out);
}

void look_for_random(const Scene& scene, const Direction& direction, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const Rate& rate = scene.baseline.*direction.rate;
  const auto many = scene.count(at(kRandomLimits, "calls"));
  const auto mostly = scene[at(kRandomLimits, "share")];
  Offenders offenders(run);
  std::int64_t calls = 0, jumps = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const Flow& flow = use.*direction.flow;
    const std::int64_t random = flow.calls - flow.sequential;
    if (random < many || static_cast<double>(random) < mostly * static_cast<double>(flow.calls)) return;
    if (is_pipe(file.name) || is_sieved(run, file, direction) || covers_little(flow)) return;
    const double taken = seconds_of(run, file, use, direction);
    const double lost = (taken - rate.seconds_for(flow.bytes)) * jumping_part(flow);
    if (lost <= 0) return;
    offenders.add(file, use, lost,
                  fmt::format("{} of {} {} went backwards", grouped(random), grouped(flow.calls), direction.calls));
    calls += flow.calls, jumps += random, seconds += taken;
  });
  Finding finding;
  finding.title = fmt::format("{} of {} {} jump backwards in the file: {}", grouped(jumps), grouped(calls),
                              direction.calls, offenders.names());
  finding.evidence = {fmt::format("those files' {} took {}", direction.calls, timed(seconds))};
  finding.formula = fmt::format(
      "time beyond what the bytes take at {}, for twice the share of calls that jump backwards: at random, "
      "every other one does",
      rate_words(rate));
  conclude(offenders, std::move(finding), out);
}

namespace {

// A state that is saved whole again and again: each saving opens, empties and closes the file, too.
double seconds_of_savings(const Use& use) {
  constexpr double kAlike = 0.1;
  const double whole = real_of(use.opens) * static_cast<double>(use.write.end);
  const bool is_saved_whole = std::abs(static_cast<double>(use.write.bytes) - whole) <= kAlike * whole;
  return is_saved_whole ? use.meta_seconds : 0;
}

}  // namespace

void look_for_repeats(const Scene& scene, const Direction& direction, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto twice = scene[at(kRepeatLimits, "times")];
  const auto enough = scene.count(at(kRepeatLimits, "bytes"));
  Offenders offenders(run);
  const Journals journals(run);
  std::int64_t bytes = 0, length = 0;
  bool is_saved_whole = false;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const Flow& flow = use.*direction.flow;
      if (flow.end <= 0 || flow.bytes < enough || is_pipe(file.name)) return;
      if (journals.have(file)) return;  // each transaction writes the same pages: no-transactions says so
      // Every rank reading all of it once is every-rank-reads' business.
      const double readers = run.is_parallel_job() ? static_cast<double>(use.ranks) : 1;
      const double times = static_cast<double>(flow.bytes) / static_cast<double>(flow.end) / readers;
      if (times < twice) return;
      const double savings = &flow == &use.write ? seconds_of_savings(use) : 0, seconds = flow.seconds + savings;
      is_saved_whole = is_saved_whole || savings > 0;
      offenders.add(file, use, seconds * (1 - 1 / times),
                    fmt::format("{} {} a file of {}: {:.1f} times", sized(static_cast<double>(flow.bytes)),
                                direction.to, sized(static_cast<double>(flow.end)), times));
      bytes += flow.bytes, length += flow.end;
    });
  }
  Finding finding;
  finding.title = fmt::format("{} {} files that hold {}: {}", sized(static_cast<double>(bytes)), direction.to,
                              sized(static_cast<double>(length)), offenders.names());
  finding.formula =
      fmt::format("time of {} times (1 - length / bytes {}), by file and rank", direction.gerund, direction.verb);
  if (is_saved_whole) finding.formula += "; with opening and closing, where each open is for the whole file";
  conclude(offenders, std::move(finding), out);
}

}  // namespace trikal::analyze
