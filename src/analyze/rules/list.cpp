#include <algorithm>
#include <array>

#include "analyze/rules/rules.hpp"

namespace trikal::analyze {

std::span<const Rule* const> all_rules() {
  static constexpr std::array kRules = {
      &kSmallWrites,
      &kSmallReads,
      &kReopen,
      &kSyncPerWrite,
      &kFlushPerWrite,
      &kStatStorm,
      &kRandomReads,
      &kRandomWrites,
      &kReread,
      &kRewrite,
      &kReadWriteSwitches,
      &kSeekPerAccess,
      &kMisaligned,
      &kManySmallFiles,
      &kTemporaryChurn,
      &kMetadataHeavy,
      &kErrors,
      &kShortTransfers,
      &kImbalance,
      &kSerialRank,
      &kNoCollectives,
      &kBulkThroughStreams,
      &kUnseenPrograms,
  };
  return kRules;
}

const Rule* find_rule(std::string_view code) {
  const auto found = std::ranges::find(all_rules(), code, [](const Rule* rule) { return rule->code; });
  return found == all_rules().end() ? nullptr : *found;
}

std::vector<Finding> find_all(const Run& run) {
  const Yardstick yardstick = make_yardstick(run);
  std::vector<Finding> findings;
  for (const Rule* rule : all_rules()) {
    const std::size_t before = findings.size();
    rule->look(run, yardstick, *rule, findings);
    for (std::size_t i = before; i < findings.size(); ++i) {
      findings[i].code = rule->code, findings[i].fix = rule->fix, findings[i].why = rule->why;
    }
  }
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.severity > b.severity;
  });
  return findings;
}

}  // namespace trikal::analyze
