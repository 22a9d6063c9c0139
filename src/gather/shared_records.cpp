#include "gather/shared_records.hpp"

#include <set>

#include "log/crash/values.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

using log::crash::Process;
using Ranks = std::unordered_set<std::int64_t>;

// Modules of files; traces and slices of time stay with their rank.
bool can_share(const ModuleSchema& schema) {
  return schema.shape == Shape::kFixed && schema.live == nullptr && schema.roles.meta_time != kNoSlot;
}

bool counts_follow(const ModuleSchema& schema) {
  const ModuleFormat* module = find_module(schema.id);
  return module != nullptr && module->rewrite != nullptr && module->rewrite->counts_follow;
}

bool can_join(const ModuleSchema& schema) {
  return (schema.shape == Shape::kFixed && schema.live == nullptr) || counts_follow(schema);
}

Ranks ranks_of_several(std::span<const Process> processes) {
  Ranks seen, several;
  for (const Process& process : processes) {
    if (!seen.insert(process.rank).second) several.insert(process.rank);
  }
  return several;
}

// Each file once for every rank.
class FileSurvey {
 public:
  FileSurvey(const Ranks& several, std::int64_t job_ranks, Reduce reduce)
      : several_(several), ranks_(job_ranks, reduce == Reduce::kSome ? log::SharedBy::kSeveral : log::SharedBy::kAll) {}

  void count(const Process& process, const ModuleSchema& schema) {
    log::crash::for_each_record(
        process, schema, {[](void* self, Bytes record) { static_cast<FileSurvey*>(self)->count(record); }, this});
  }
  [[nodiscard]] std::vector<std::uint64_t> shared_ids() const { return ranks_.shared_ids(); }

 private:
  void count(Bytes record) {
    const auto base = load<BaseRecord>(record.data());
    if (several_.contains(base.rank) && !seen_.insert({base.rank, base.id}).second) return;
    ranks_.count(base);
  }

  const Ranks& several_;
  log::RankSurvey ranks_;
  std::set<std::pair<std::int64_t, std::uint64_t>> seen_;
};

}  // namespace

SharedRecords::SharedRecords(std::span<const Process> processes, std::int64_t job_ranks, Reduce reduce)
    : several_(ranks_of_several(processes)) {
  if (job_ranks <= 0 || reduce == Reduce::kNothing) return;
  for (const ModuleFormat* module : all_modules()) {
    if (!can_share(*module->schema)) continue;
    FileSurvey survey(several_, job_ranks, reduce);
    for (const Process& process : processes) survey.count(process, *module->schema);
    if (const std::vector<std::uint64_t> ids = survey.shared_ids(); !ids.empty())
      folds_.emplace(std::piecewise_construct, std::tuple(module->schema->id),
                     std::tuple(std::cref(*module->schema), ids));
  }
}

// Records come process by process, so the tables of one at a time are looked for.
std::vector<log::SharedFold::Values> SharedRecords::values_of(const ModuleSchema& schema, const Process& process,
                                                              std::uint64_t id) {
  if (values_owner_ != process.map.key() || values_module_ != &schema) {
    values_.clear();
    values_owner_ = process.map.key(), values_module_ = &schema;
    log::crash::for_each_values(*process.map, schema, [&](const log::crash::MapValues& values) {
      log::crash::MapValues::Rows rows;  // NOLINT: filled right below
      const ValueTable table = values.table(rows);
      const auto end = rows.begin() + static_cast<std::ptrdiff_t>(table.size * (table.words + 1));
      values_.emplace(values.id(), KnownValues{values.counter(), table.words, {rows.begin(), end}});
    });
  }
  std::vector<log::SharedFold::Values> found;
  const auto [first, last] = values_.equal_range(id);
  for (auto next = first; next != last; ++next) {
    const KnownValues& known = next->second;
    found.push_back({known.counter, {known.rows.data(), known.rows.size() / (known.words + 1), known.words}});
  }
  return found;
}

bool SharedRecords::take(const ModuleSchema& schema, const Process& process, Bytes record) {
  if (several_.contains(process.rank) && can_join(schema)) {
    by_rank_.try_emplace(schema.id, schema)
        .first->second.add(record.data(), record.subspan(schema.head_bytes),
                           values_of(schema, process, load<std::uint64_t>(record.data())));
    return true;
  }
  const auto fold = folds_.find(schema.id);
  if (fold == folds_.end()) return false;
  return fold->second.add(record.data(), {}, values_of(schema, process, load<std::uint64_t>(record.data())));
}

Bytes SharedRecords::rest(const ModuleSchema& schema) {
  finished_.clear();
  const auto fold = folds_.find(schema.id);
  if (const auto joined = by_rank_.extract(schema.id); !joined.empty()) {
    joined.mapped().for_each([&](Bytes head, Bytes tail, std::span<const log::RankRecords::Values> values) {
      if (fold != folds_.end() && fold->second.add(head.data(), {}, values)) return;
      finished_.insert(finished_.end(), head.begin(), head.end());
      finished_.insert(finished_.end(), tail.begin(), tail.end());
    });
  }
  if (fold == folds_.end()) return finished_;
  const std::vector<std::byte> shared = fold->second.finish();
  finished_.insert(finished_.end(), shared.begin(), shared.end());
  return finished_;
}

}  // namespace trikal::gather
