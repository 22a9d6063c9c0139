#include <cmath>

#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_tiny_writes(const StaticSubject& subject) {
  const bool direct = subject.access.operation == Operation::kWrite || subject.access.operation == Operation::kMpiWrite;
  if (!direct || subject.is(kUseLineEnd)) return std::nullopt;  // has a rule of its own
  if (subject.use().count < kStaticMany || subject.mean() >= kStaticTiny) return std::nullopt;
  return (subject.use().count - std::ceil(subject.use().bytes / kStaticLarge)) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kTinyWrites;
const StaticRule kTinyWrites = {
    "tiny-writes-in-loop",
    "A loop writes a few bytes with each call",
    "A system call costs the same for 16 bytes as for 4096; a buffer shares it among thousands of records.",
    "Collect the data in a buffer of a megabyte and write that.",
    StaticLevel::kWarning,
    judge_tiny_writes,
};

}  // namespace trikal::analyze
