#include "analyze/compare/prediction.hpp"

#include <algorithm>
#include <charconv>

#include "analyze/dataset/predicted_counters.hpp"
#include "analyze/dataset/trailer_facts.hpp"
#include "analyze/dataset/trailer_rows.hpp"
#include "modules/list.hpp"
#include "schema/system_paths.hpp"

namespace trikal::analyze {
namespace {

std::string_view metadata_of(const log::Reader& reader, std::string_view key) {
  for (const auto& [name, value] : reader.job().metadata_pairs())
    if (name == key) return value;
  return {};
}

bool is_prediction(const log::Reader& reader) { return metadata_of(reader, kPredictedKey) == "1"; }

// Calls `each` with the parts between commas.
template <class Each>
void split(std::string_view text, Each each) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    each(text.substr(0, comma));
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
}

// A log may name anything: what no table has is passed over, and so are records that are not a row of counters.
void add_said(PredictionScope& scope, const TrailerRow& row) {
  const ModuleFormat* format = find_module(row.text("module"));
  if (format == nullptr || format->schema->shape != Shape::kFixed) return;
  if (format->record_view != nullptr && format->record_view->values != nullptr) return;
  const ModuleSchema& schema = *format->schema;
  const std::string counter = row.text("counter");
  const auto at = std::ranges::find(schema.counters, counter, &Counter::name);
  if (at == schema.counters.end()) return;
  auto module = std::ranges::find(scope.modules, &schema, &PredictionScope::Module::schema);
  if (module == scope.modules.end()) {
    module = scope.modules.insert(module, {&schema, std::vector<bool>(schema.counters.size()), {}});
    split(row.text("unless"), [&](std::string_view name) {
      if (const ModuleFormat* other = find_module(name)) module->unless.push_back(other->schema->id);
    });
  }
  module->said[static_cast<std::size_t>(at - schema.counters.begin())] = true;
}

// Installed with the system. What a language's own library calls, it calls for the program.
bool is_foreign_name(std::string_view name) {
  constexpr std::string_view kLanguages[] = {"libstdc++.so", "libc++.so", "libgfortran.so", "libc.so"};
  if (name.find(".so") == std::string_view::npos) return false;
  return std::ranges::none_of(kLanguages, [&](std::string_view one) { return name.starts_with(one); });
}

// Whoever called itself: the first of what the call came through, where it came through anything.
bool is_foreign_library(std::string_view object, std::string_view through) {
  if (!through.empty()) return is_foreign_name(through.substr(0, through.find(" < ")));
  return is_system_path(object) && is_foreign_name(object.substr(object.rfind('/') + 1));
}

void read_sites(log::Reader& run, PredictionScope& scope) {
  std::unordered_set<std::uint64_t, KeyedHash> own;
  for_each_row(run, "sites", [&](const TrailerRow& row) {
    const auto file = static_cast<std::uint64_t>(row.count("id"));
    scope.has_sites = true;
    // A call without a call site may be the program's.
    (is_foreign_library(row.text("object"), row.text("through")) ? scope.libraries : own).insert(file);
  });
  // Where the table was too small to tell files apart, nobody knows.
  if (own.contains(0)) scope.libraries.clear();
  std::erase_if(scope.libraries, [&](std::uint64_t file) { return file == 0 || own.contains(file); });
}

}  // namespace

const PredictionScope::Module* PredictionScope::find(ModuleId id) const {
  const auto found = std::ranges::find_if(modules, [id](const Module& module) { return module.schema->id == id; });
  return found != modules.end() ? &*found : nullptr;
}

std::optional<PredictionScope> prediction_among(log::Reader& a, log::Reader& b) {
  if (is_prediction(a) == is_prediction(b)) return std::nullopt;
  PredictionScope scope;
  scope.predicted = is_prediction(a) ? Side::kA : Side::kB;
  log::Reader& predicted = scope.predicted == Side::kA ? a : b;
  for_each_row(predicted, kPredictedCountersSection.name, [&](const TrailerRow& row) { add_said(scope, row); });
  if (scope.modules.empty()) return std::nullopt;
  split(metadata_of(predicted, kPredictedRanksKey), [&](std::string_view text) {
    std::int64_t rank = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), rank).ec == std::errc()) scope.ranks.insert(rank);
  });
  std::unordered_set<std::uint64_t, KeyedHash> counted;
  for_each_row(predicted, "predicted_sites", [&](const TrailerRow& row) {
    const double more = row.real("files_like_it");
    if (more > 0 && counted.insert(static_cast<std::uint64_t>(row.count("id"))).second) scope.like_it += more;
  });
  scope.sureness = sureness_of(predicted);
  read_sites(scope.predicted == Side::kA ? b : a, scope);
  return scope;
}

}  // namespace trikal::analyze
