#include "analyze/rules/sites.hpp"

#include <algorithm>
#include <unordered_map>

namespace trikal::analyze {
namespace {

constexpr std::size_t kMostSites = 3;  // of one file in one finding

struct About {
  std::string_view code;
  SiteKind kind;
};
// What a rule complains of; the others are about all calls on a file.
constexpr About kAbout[] = {
    {"small-writes", SiteKind::kWrites},
    {"random-writes", SiteKind::kWrites},
    {"rewrite", SiteKind::kWrites},
    {"small-reads", SiteKind::kReads},
    {"random-reads", SiteKind::kReads},
    {"reread", SiteKind::kReads},
    {"read-back", SiteKind::kReads},
    {"every-rank-reads", SiteKind::kReads},
    {"sync-per-write", SiteKind::kSyncs},
    {"flush-per-write", SiteKind::kFlushes},
    {"stat-storm", SiteKind::kStats},
    {"seek-per-access", SiteKind::kSeeks},
    {"reopen", SiteKind::kOpens},
    {"many-small-files", SiteKind::kOpens},
    {"idle-opens", SiteKind::kOpens},
    {"temporary-churn", SiteKind::kOpens},
    {"map-per-access", SiteKind::kMaps},
    {"misaligned", SiteKind::kData},
    {"read-write-switches", SiteKind::kData},
    {"no-collectives", SiteKind::kData},
    {"no-nonblocking", SiteKind::kData},
    {"bulk-through-streams", SiteKind::kData},
    {"tiny-stream-buffer", SiteKind::kData},
    {"misaligned-memory", SiteKind::kData},
    {"stripe-contention", SiteKind::kWrites},
    {"stalled-access", SiteKind::kData},
    {"flushed-lines", SiteKind::kWrites},
    {"small-chunks", SiteKind::kData},
    {"scattered-selections", SiteKind::kData},
    {"hdf5-independent", SiteKind::kData},
};

SiteKind kind_of(std::string_view code) {
  const auto found = std::ranges::find(kAbout, code, &About::code);
  return found == std::end(kAbout) ? SiteKind::kAny : found->kind;
}

}  // namespace

void name_sites(const Run& run, std::vector<Finding>& findings) {
  if (run.sites.empty()) return;
  std::unordered_map<std::uint64_t, std::vector<SiteUse>> of_file;
  for (const SiteUse& site : run.sites) of_file[site.file].push_back(site);
  std::unordered_map<std::string_view, std::uint64_t> files;
  for (const FileUse& file : single_files(run)) {
    if (of_file.contains(file.id)) files.try_emplace(file.name, file.id);
  }
  for (const Dataset& dataset : single_datasets(run)) {
    if (of_file.contains(dataset.id)) files.try_emplace(dataset.name, dataset.id);
  }
  for (Finding& finding : findings) {
    if (finding.code == "errors") continue;  // sites count calls that worked
    for (FileEvidence& file : finding.files) {
      const auto known = files.find(file.name);
      if (known != files.end())
        file.sites = worst_sites(of_file[known->second], known->second, kind_of(finding.code), kMostSites);
    }
  }
}

}  // namespace trikal::analyze
