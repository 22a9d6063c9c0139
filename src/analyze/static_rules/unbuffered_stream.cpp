#include <cmath>

#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_unbuffered_stream(const StaticSubject& subject) {
  const bool stream =
      subject.access.operation == Operation::kStreamWrite || subject.access.operation == Operation::kStreamRead;
  if (!stream || !subject.is(kUseUnbuffered)) return std::nullopt;
  if (subject.use().count < kStaticMany || subject.mean() >= kStaticTiny) return std::nullopt;
  return (subject.use().count - std::ceil(subject.use().bytes / kStaticTiny)) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kUnbufferedStream;
const StaticRule kUnbufferedStream = {
    "unbuffered-stream",
    "Many small transfers on a stream without a buffer",
    "Without a buffer (setvbuf with _IONBF, or standard error) each call on the stream is a system call.",
    "Leave the stream its buffer, or collect the text and put it out at once.",
    StaticLevel::kWarning,
    judge_unbuffered_stream,
};

}  // namespace trikal::analyze
