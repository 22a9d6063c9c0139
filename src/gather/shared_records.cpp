#include "gather/shared_records.hpp"

#include "log/crash/values.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

using log::crash::Process;

// Modules of files; traces and slices of time stay with their rank.
bool can_share(const ModuleSchema& schema) {
  return schema.shape == Shape::kFixed && schema.live == nullptr && schema.roles.meta_time != kNoSlot;
}

std::vector<std::uint64_t> shared_ids(std::span<const Process> ranks, const ModuleSchema& schema,
                                      std::int64_t job_ranks, Reduce reduce) {
  log::RankSurvey survey(job_ranks, reduce == Reduce::kSome ? log::SharedBy::kSeveral : log::SharedBy::kAll);
  for (const Process& process : ranks) {
    log::crash::for_each_record(process, schema,
                                {[](void* self, Bytes record) {
                                   static_cast<log::RankSurvey*>(self)->count(
                                       {load<std::uint64_t>(record.data()), load<std::int64_t>(record.data() + 8)});
                                 },
                                 &survey});
  }
  return survey.shared_ids();
}

}  // namespace

SharedRecords::SharedRecords(std::span<const Process> ranks, std::int64_t job_ranks, Reduce reduce) {
  if (job_ranks <= 0 || reduce == Reduce::kNothing) return;
  for (const Process& process : ranks) members_.insert(process.map.key());
  for (const ModuleFormat* module : all_modules()) {
    if (!can_share(*module->schema)) continue;
    const std::vector<std::uint64_t> ids = shared_ids(ranks, *module->schema, job_ranks, reduce);
    if (!ids.empty())
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
  const auto fold = folds_.find(schema.id);
  if (fold == folds_.end() || !members_.contains(process.map.key())) return false;
  return fold->second.add(record.data(), {}, values_of(schema, process, load<std::uint64_t>(record.data())));
}

Bytes SharedRecords::rest(const ModuleSchema& schema) {
  const auto fold = folds_.find(schema.id);
  if (fold == folds_.end()) return {};
  finished_ = fold->second.finish();
  return finished_;
}

}  // namespace trikal::gather
