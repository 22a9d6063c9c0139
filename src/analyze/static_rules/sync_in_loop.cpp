#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_sync_in_loop(const StaticSubject& subject) {
  const Operation operation = subject.access.operation;
  const bool syncs =
      operation == Operation::kSync || operation == Operation::kDataSync || operation == Operation::kMpiSync;
  if (!syncs || subject.use().count < kStaticOften) return std::nullopt;
  return (subject.use().count - 1) * subject.costs.sync;
}

}  // namespace

extern const StaticRule kSyncInLoop;
const StaticRule kSyncInLoop = {
    "sync-in-loop",
    "A loop waits for the device each time around",
    "Every fsync waits until the device has the data: milliseconds, whatever the size.",
    "Make it durable once, behind the loop, or every so many records.",
    StaticLevel::kWarning,
    judge_sync_in_loop,
};

}  // namespace trikal::analyze
