#include "report/json/explain.hpp"

#include "report/json/writer.hpp"
#include "report/text/words.hpp"

namespace trikal::report {

using analyze::Term;

namespace {

void open(JsonWriter& json) {
  json.open_object();
  json.field("schema", "trikal-explain");
  json.field("schema_version", kExplainSchemaVersion);
}

void write_bucket(JsonWriter& json, const Counter& counter, std::size_t bucket) {
  json.open_object();
  json.field("name", bucket_name(counter, bucket));
  json.field("label", counter.labels[bucket]);
  const std::string words = bucket_words(counter, bucket);
  if (!words.empty()) json.field("meaning", words);
  json.close();
}

void write_term(JsonWriter& json, const Term& term) {
  const Counter& counter = term.counter;
  json.line();
  json.open_object();
  json.field("name", term.name());
  json.field("module", term.module->schema->name);
  json.field("help", counter.help);
  json.field("kind", kind_name(counter.kind));
  json.field("unit", unit_code(counter.unit));
  json.field("fold", fold_name(counter.fold));
  json.field("over_ranks", fold_words(counter.fold));
  json.field("since_version", std::uint64_t{term.since});
  if (term.slot != kNoSlot)
    json.field("slot", std::uint64_t{term.slot + (term.bucket == analyze::kWholeRun ? 0 : term.bucket)});
  if (!counter.labels.empty()) {
    json.key("counters");
    json.open_array();
    for (std::size_t i = 0; i < counter.width(); ++i) {
      if (term.bucket == analyze::kWholeRun || term.bucket == i) write_bucket(json, counter, i);
    }
    json.close();
  }
  json.key("special_values");
  json.open_array();
  for (const SpecialValue& special : special_values(term)) {
    json.open_object();
    json.field("value", special.value);
    json.field("meaning", special.meaning);
    json.close();
  }
  json.close();
  json.close();
}

void write_module(JsonWriter& json, const ModuleFormat& module) {
  const ModuleSchema& schema = *module.schema;
  json.line();
  json.open_object();
  json.field("module", schema.name);
  json.field("id", std::uint64_t{schema.id});
  json.field("prefix", schema.prefix);
  json.field("help", schema.help);
  json.key("versions");
  json.open_array();
  for (const Form& form : module.forms) json.value(std::uint64_t{form.version});
  json.close();
  json.field("totals", schema.totals);
  json.key("counters");
  json.open_array();
  for (const Term& term : analyze::terms_of(module)) write_term(json, term);
  json.close();
  json.close();
}

}  // namespace

void write_terms_json(Sink& out, std::span<const Term> terms) {
  JsonWriter json(out);
  open(json);
  json.key("counters");
  json.open_array();
  for (const Term& term : terms) write_term(json, term);
  json.close();
  json.close();
  out.put("\n");
}

void write_modules_json(Sink& out, std::span<const ModuleFormat* const> modules) {
  JsonWriter json(out);
  open(json);
  json.key("modules");
  json.open_array();
  for (const ModuleFormat* module : modules) write_module(json, *module);
  json.close();
  json.close();
  out.put("\n");
}

}  // namespace trikal::report
