#include <cmath>

#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {
namespace {

std::optional<double> judge_tiny_reads(const StaticSubject& subject) {
  const bool direct = subject.access.operation == Operation::kRead || subject.access.operation == Operation::kMpiRead;
  if (!direct || subject.use().count < kStaticMany || subject.mean() >= kStaticTiny) return std::nullopt;
  return (subject.use().count - std::ceil(subject.use().bytes / kStaticLarge)) * subject.costs.operation;
}

}  // namespace

extern const StaticRule kTinyReads;
const StaticRule kTinyReads = {
    "tiny-reads-in-loop",
    "A loop reads a few bytes with each call",
    "A system call costs the same for 16 bytes as for 4096; a buffer shares it among thousands of records.",
    "Read a megabyte at a time into a buffer and take the records from there.",
    StaticLevel::kWarning,
    judge_tiny_reads,
};

}  // namespace trikal::analyze
