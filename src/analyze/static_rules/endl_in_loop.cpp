#include <cmath>

#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_endl_in_loop(const StaticSubject& subject) {
  constexpr double kLines = 100, kBuffer = 8191;  // of libstdc++
  const bool flushes = subject.access.operation == Operation::kFlush || subject.access.operation == Operation::kWrite;
  if (!subject.is(kUseLineEnd) || !flushes || subject.use().count < kLines) return std::nullopt;
  if (subject.file.name == "<STDERR>") return std::nullopt;  // has no buffer anyway
  return (subject.use().count - std::ceil(subject.use().bytes / kBuffer)) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kEndlInLoop;
const StaticRule kEndlInLoop = {
    "endl-in-loop",
    "std::endl in a loop flushes every line",
    "std::endl is a newline and a flush: each line becomes a write call of its own.",
    "Write '\\n'; the stream is flushed when it is closed.",
    StaticLevel::kWarning,
    judge_endl_in_loop,
};

}  // namespace trikal::analyze
