#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_numbers_as_text(const StaticSubject& subject) {
  constexpr double kBytesOfNumber = 8;  // with what stands between them
  if (!subject.is(kUseNumbers) || !subject.moves() || subject.standard()) return std::nullopt;
  if (subject.use().bytes < kStaticLarge) return std::nullopt;
  const bool each =
      layer_of(subject.access.operation) == PredictedLayer::kStdio;  // else the stream's buffer was written
  return (each ? subject.use().count : subject.use().bytes / kBytesOfNumber) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kNumbersAsText;
const StaticRule kNumbersAsText = {
    "numbers-as-text",
    "Numbers are turned into text, or back",
    "Printing or scanning a number takes about as long as a system call, and the text is longer than the number.",
    "Write them as binary (fwrite of the array, HDF5, NetCDF) unless people or another program need the text.",
    StaticLevel::kNote,
    judge_numbers_as_text,
};

}  // namespace trikal::analyze
