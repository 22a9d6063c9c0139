#include "report/text/prediction_check.hpp"

#include <fmt/format.h>

namespace trikal::report {
namespace {

using analyze::PredictionCounts;
using analyze::PredictionScope;
using analyze::Side;

std::string number_of(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string left_out(const PredictionCounts& counts) {
  std::string text = fmt::format("left out, as a prediction says nothing of it: {} of {} counters", counts.counters,
                                 counts.counters_of);
  text += ", the job but for its processes";
  for (const std::string_view module : counts.modules) text += fmt::format(", {}", module);
  if (counts.beneath > 0)
    text += fmt::format(", {} of calls that a library makes for the program", number_of(counts.beneath, "record"));
  if (counts.libraries > 0) text += fmt::format(", {} that only libraries touch", number_of(counts.libraries, "file"));
  return text + " (--all compares everything)";
}

}  // namespace

std::vector<std::string> prediction_notes(const PredictionScope& scope, const PredictionCounts& counts) {
  std::vector<std::string> notes = {left_out(counts)};
  if (!scope.ranks.empty()) {
    notes.push_back(
        fmt::format("the prediction looked at {} of the ranks: {} of others, or of all of them together, {} left out",
                    scope.ranks.size(), number_of(counts.ranks, "record"), counts.ranks == 1 ? "is" : "are"));
  }
  if (scope.like_it > 0) {
    notes.push_back(fmt::format(
        "the prediction has one record for files that are alike, and none for {:.0f} more of them", scope.like_it));
  }
  const std::uint64_t more = scope.predicted == Side::kA ? counts.files_only_b : counts.files_only_a;
  if (more > 0 && !scope.has_sites) {
    notes.push_back(
        "files that only the run has may be those of libraries: of a run with --call-sites they are told apart");
  }
  return notes;
}

std::string prediction_verdict(const PredictionScope& scope, const analyze::CompareResult& result) {
  const PredictionCounts& counts = *result.prediction;
  if (counts.nothing_compared()) return "Nothing of the two can be compared: neither has what the other speaks of.";
  const bool a = scope.predicted == Side::kA;
  const std::uint64_t predicted_only = a ? counts.files_only_a : counts.files_only_b;
  const std::uint64_t run_only = a ? counts.files_only_b : counts.files_only_a;
  const std::string compared =
      fmt::format("{} of {}", number_of(counts.values, "counter"), number_of(counts.files, "file"));
  if (!result.differs()) return fmt::format("The run did what was predicted: {} compared, all equal.", compared);
  return fmt::format(
      "The run did something else than predicted: {} compared, {} equal, {} different; {} only predicted, {} only in "
      "the run.",
      compared, counts.values - std::min(counts.values, result.counts.changes), result.counts.changes,
      number_of(predicted_only, "file"), number_of(run_only, "file"));
}

}  // namespace trikal::report
