#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_synchronous_writes(const StaticSubject& subject) {
  if (!subject.is(kUseSynchronous) || !writes(subject.access.operation)) return std::nullopt;
  if (subject.use().count < kStaticOften) return std::nullopt;
  return (subject.use().count - 1) * subject.costs.sync;
}

}  // namespace

extern const StaticRule kSynchronousWrites;
const StaticRule kSynchronousWrites = {
    "synchronous-writes",
    "The file is open for synchronous writing",
    "With O_SYNC or O_DSYNC every write waits for the device, as if an fsync stood behind it.",
    "Open it without the flag and call fdatasync where the data must be safe.",
    StaticLevel::kWarning,
    judge_synchronous_writes,
};

}  // namespace trikal::analyze
