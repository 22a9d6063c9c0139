#include <algorithm>
#include <array>

#include "analyze/rules/advice.hpp"
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
    &kUnaggregatedCollectives,
    &kTimeAbovePosix,
    &kShortProcesses,
    &kPipeWaits,
    &kNoTransactions,
    &kFlushedLines,
};

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

const Rule* find_rule(std::string_view code) {
  const auto found = std::ranges::find(all_rules(), code, [](const Rule* rule) { return rule->code; });
  return found == all_rules().end() ? nullptr : *found;
}

namespace {

// How much less or more is lost if the storage is slower or faster than the baseline says.
void widen(const Rule& rule, const Run& run, const Baseline& baseline, std::span<const double> limits,
           std::vector<Finding>& found) {
  if (std::ranges::none_of(found, [](const Finding& finding) { return finding.seconds > 0; })) return;
  for (const Baseline& other : {slower(baseline), faster(baseline)}) {
    std::vector<Finding> again;
    rule.look({run, other, limits}, again);
    for (std::size_t i = 0; i < found.size(); ++i) {
      // With slow storage there may be nothing left to save.
      const bool is_there = again.size() == found.size();
      found[i].least = std::min(found[i].least, is_there ? again[i].least : 0);
      if (is_there) found[i].most = std::max(found[i].most, again[i].most);
    }
  }
}

// Findings about the same file are mostly about the same calls.
void note_overlaps(std::vector<Finding>& findings) {
  const auto share_a_file = [](const Finding& a, const Finding& b) {
    return std::ranges::any_of(a.files, [&b](const FileEvidence& file) {
      return std::ranges::find(b.files, file.name, &FileEvidence::name) != b.files.end();
    });
  };
  for (Finding& finding : findings) {
    for (const Finding& other : findings) {
      if (&other == &finding || !(finding.seconds > 0) || !(other.seconds > 0)) continue;
      // What is lost in no file is lost beside the I/O of all.
      if (finding.files.empty() || other.files.empty() || share_a_file(finding, other))
        finding.overlaps.push_back(other.code);
    }
    std::ranges::sort(finding.overlaps);
    finding.overlaps.erase(std::ranges::unique(finding.overlaps).begin(), finding.overlaps.end());
  }
}

}  // namespace

std::vector<Finding> find_all(const Run& run, const Policy& policy) {
  const Baseline baseline = make_baseline(run);
  std::vector<Finding> findings;
  for (const Rule* rule : all_rules()) {
    if (policy.mutes(*rule)) continue;
    const std::vector<double> limits = policy.limits_of(*rule);
    std::vector<Finding> found;
    rule->look({run, baseline, limits}, found);
    widen(*rule, run, baseline, limits, found);
    for (Finding& finding : found) {
      finding.code = rule->code, finding.why = rule->why;
      if (finding.fix.empty()) finding.fix = rule->fix;
      if (policy.is_worth(*rule, finding, run)) findings.push_back(std::move(finding));
    }
  }
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.severity > b.severity;
  });
  note_overlaps(findings);
  name_sites(run, findings);
  advise_by_caller(run, findings);
  return findings;
}

std::vector<Finding> find_all(const Run& run) { return find_all(run, {}); }

}  // namespace trikal::analyze
