#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_open_in_loop(const StaticSubject& subject) {
  const Operation operation = subject.access.operation;
  if (operation != Operation::kOpen && operation != Operation::kStreamOpen) return std::nullopt;
  if (subject.use().count < kStaticOften || subject.file.like_it > 0) return std::nullopt;
  return (subject.use().count - 1) * subject.costs.open;
}

}  // namespace

extern const StaticRule kOpenInLoop;
const StaticRule kOpenInLoop = {
    "open-in-loop",
    "A loop opens the same file again and again",
    "Opening looks the path up, checks permission and makes a descriptor, only to do it again the next time around.",
    "Open the file once before the loop and close it behind.",
    StaticLevel::kWarning,
    judge_open_in_loop,
};

}  // namespace trikal::analyze
