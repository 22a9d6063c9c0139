#include <algorithm>
#include <array>

#include "analyze/rules/policy.hpp"
#include "analyze/rules/rules.hpp"
#include "analyze/rules/sites.hpp"

namespace trikal::analyze {

namespace {

constexpr std::array kRules = {
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
    &kStraggler,
    &kUnevenSharedFile,
    &kFewAggregators,
    &kNoNonblocking,
    &kDataSieving,
    &kEveryRankReads,
    &kFilePerProcess,
    &kSingleStripe,
    &kStripeContention,
    &kSmallChunks,
    &kManyDatasets,
    &kHdf5Independent,
    &kHdf5MetadataReads,
    &kScatteredSelections,
    &kSlowFileSystem,
    &kMisalignedMemory,
    &kStalledAccess,
    &kImportStorm,
    &kDiscardedOutput,
    &kReadBack,
    &kPageCacheSpeed,
    &kIdleOpens,
    &kRescannedDirectory,
    &kMapPerAccess,
    &kLockPerAccess,
    &kTinyStreamBuffer,
    &kPeriodicBursts,
    &kNoOverlap,
    &kSlowerThanHistory,
};

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

const Rule* find_rule(std::string_view code) {
  const auto found = std::ranges::find(all_rules(), code, [](const Rule* rule) { return rule->code; });
  return found == all_rules().end() ? nullptr : *found;
}

std::vector<Finding> find_all(const Run& run, const Policy& policy) {
  const Baseline baseline = make_baseline(run);
  std::vector<Finding> findings;
  for (const Rule* rule : all_rules()) {
    if (policy.mutes(*rule)) continue;
    const std::vector<double> limits = policy.limits_of(*rule);
    std::vector<Finding> found;
    rule->look({run, baseline, limits}, found);
    for (Finding& finding : found) {
      finding.code = rule->code, finding.fix = rule->fix, finding.why = rule->why;
      if (policy.is_worth(*rule, finding, run)) findings.push_back(std::move(finding));
    }
  }
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.severity > b.severity;
  });
  name_sites(run, findings);
  return findings;
}

std::vector<Finding> find_all(const Run& run) { return find_all(run, {}); }

}  // namespace trikal::analyze
