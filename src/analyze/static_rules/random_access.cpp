#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_random_access(const StaticSubject& subject) {
  if (!subject.moves() || subject.use().count < kStaticMany || subject.mean() >= kStaticLarge) return std::nullopt;
  const double jumps = subject.use().count - subject.use().sequential;
  if (jumps < subject.use().count / 2) return std::nullopt;
  return jumps * subject.costs.operation;
}

}  // namespace

extern const StaticRule kRandomAccess;
const StaticRule kRandomAccess = {
    "random-access",
    "Accesses jump about in the file",
    "Neither the system nor the device can read ahead or gather writes when each access lies somewhere else.",
    "Sort the accesses by offset, or read the region at once and pick from memory.",
    StaticLevel::kWarning,
    judge_random_access,
};

}  // namespace trikal::analyze
