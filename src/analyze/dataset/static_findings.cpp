#include "analyze/dataset/static_findings.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace trikal::analyze {
namespace {

using Key = std::tuple<std::string_view, std::string, unsigned, unsigned>;

Key key_of(const StaticFinding& finding) { return {finding.code(), finding.source, finding.line, finding.column}; }

// The innermost loop around a line; the line itself where its function has none there.
std::uint32_t loop_around(const Prediction& prediction, std::uint32_t block) {
  for (std::uint32_t at = block; prediction.blocks[at].parent != at; at = prediction.blocks[at].parent)
    if (prediction.blocks[at].kind == BlockKind::kLoop) return at;
  return block;
}

std::vector<StaticFinding> sorted(std::map<Key, StaticFinding> by_site) {
  std::vector<StaticFinding> found;
  for (auto& [key, one] : by_site) found.push_back(std::move(one));
  std::ranges::stable_sort(found, std::greater{}, &StaticFinding::seconds);
  return found;
}

}  // namespace

std::vector<StaticFinding> find_static(const Prediction& prediction, const Costs& costs) {
  std::map<Key, StaticFinding> found;
  for (const PredictedAccess& access : prediction.accesses) {
    const PredictedFile& file = prediction.files[access.file];
    const PredictedSite& site = prediction.sites[access.site];
    constexpr double kLikely = 0.5;  // what hardly ever happens is not worth a finding
    if (access.use.certainty == Certainty::kAssumed && access.use.count < kLikely) continue;
    for (const StaticRule* rule : static_rules()) {
      const std::optional<double> lost = rule->judge({access, file, costs});
      if (!lost) continue;
      StaticFinding one{rule,
                        site.source,
                        site.line,
                        site.column,
                        site.function,
                        loop_around(prediction, site.block),
                        file.name,
                        1,
                        access.use.count,
                        std::max(0.0, *lost),
                        access.use.certainty,
                        prediction.rank};
      const auto [known, fresh] = found.try_emplace(key_of(one), one);
      if (fresh) continue;
      known->second.files += known->second.file == file.name ? 0 : 1;
      known->second.times += one.times, known->second.seconds += one.seconds;
      known->second.certainty = std::max(known->second.certainty, one.certainty);
    }
  }
  return sorted(std::move(found));
}

std::vector<StaticFinding> find_static(std::span<const Prediction> predictions, const Costs& costs) {
  std::map<Key, StaticFinding> worst;
  for (const Prediction& prediction : predictions) {
    for (StaticFinding& one : find_static(prediction, costs)) {
      const auto [known, fresh] = worst.try_emplace(key_of(one), one);
      if (!fresh && one.seconds > known->second.seconds) known->second = std::move(one);
    }
  }
  return sorted(std::move(worst));
}

}  // namespace trikal::analyze
