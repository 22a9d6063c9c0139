#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_flush_in_loop(const StaticSubject& subject) {
  if (subject.access.operation != Operation::kFlush || subject.is(kUseLineEnd)) return std::nullopt;
  if (subject.use().count < kStaticOften) return std::nullopt;
  return (subject.use().count - 1) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kFlushInLoop;
const StaticRule kFlushInLoop = {
    "flush-in-loop",
    "A loop empties its stream buffer each time around",
    "A flush is a write call; the buffer is there so that many small writes become one.",
    "Leave it to the buffer; flush behind the loop.",
    StaticLevel::kWarning,
    judge_flush_in_loop,
};

}  // namespace trikal::analyze
