#include <algorithm>

#include "report/comparison.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

using analyze::Aspect;
using analyze::NumberChange;
using analyze::SubjectChange;

void write_values(JsonWriter& json, std::string_view name, const std::vector<double>& values) {
  json.key(name);
  json.open_array();
  for (const double value : values) json.value(value);
  json.close();
}

void write_number(JsonWriter& json, const NumberChange& change) {
  static constexpr std::string_view kUnits[] = {"seconds", "bytes", "count", "mib_per_s"};
  json.key(change.key->metric);
  json.open_object();
  json.field("unit", kUnits[static_cast<std::size_t>(change.unit)]);
  write_values(json, "a", change.a);
  write_values(json, "b", change.b);
  json.field("median_a", change.middle_a);
  json.field("median_b", change.middle_b);
  json.field("difference", change.difference());
  json.key("p");
  if (change.a.size() > 1 && change.b.size() > 1) json.value(change.chance);
  else json.null();
  json.field("verdict", verdict_name(change.verdict));
  json.close();
}

void write_subjects(JsonWriter& json, const Comparison& comparison, Aspect aspect, std::string_view name) {
  const std::vector<SubjectChange> subjects = subjects_of(comparison.changes, aspect);
  json.key(name);
  json.open_array();
  for (std::size_t i = 0; i < std::min(subjects.size(), kMostComparedFiles); ++i) {
    json.line();
    json.open_object();
    json.field("name", subjects[i].subject);
    const NumberChange& first = subjects[i].numbers.front();
    json.field("in", first.only_a ? "a" : first.only_b ? "b" : "both");
    json.key("numbers");
    json.open_object();
    for (const NumberChange& number : subjects[i].numbers) write_number(json, number);
    json.close();
    json.close();
  }
  json.close();
}

void write_logs(JsonWriter& json, std::string_view side, const std::vector<ComparedLog>& logs) {
  json.key(side);
  json.open_array();
  for (const ComparedLog& log : logs) {
    json.open_object();
    json.field("path", std::string_view(log.path));
    json.field("program", std::string_view(log.program));
    json.field("nprocs", log.nprocs);
    json.field("seconds", log.seconds);
    json.close();
  }
  json.close();
}

}  // namespace

void write_comparison_json(Sink& out, const Comparison& comparison) {
  JsonWriter json(out);
  json.open_object();
  json.field("schema", kComparisonSchema);
  json.field("test", kComparisonTest);
  json.field("alpha", comparison.changes.alpha);
  json.field("tested", static_cast<std::uint64_t>(comparison.changes.tested));
  json.field("sure", static_cast<std::uint64_t>(comparison.changes.sure));
  write_logs(json, "a", comparison.a);
  write_logs(json, "b", comparison.b);
  json.key("conclusions");
  json.open_array();
  for (const std::string& sentence : conclusions_of(comparison)) json.value(std::string_view(sentence));
  json.close();
  json.key("run");
  json.open_object();
  for (const SubjectChange& run : subjects_of(comparison.changes, Aspect::kRun)) {
    for (const NumberChange& number : run.numbers) write_number(json, number);
  }
  json.close();
  write_subjects(json, comparison, Aspect::kLayer, "layers");
  write_subjects(json, comparison, Aspect::kFinding, "findings");
  write_subjects(json, comparison, Aspect::kPhase, "phases");
  write_subjects(json, comparison, Aspect::kFile, "files");
  json.field("files_total", static_cast<std::uint64_t>(subjects_of(comparison.changes, Aspect::kFile).size()));
  json.close();
  out.put("\n");
}

}  // namespace trikal::report
