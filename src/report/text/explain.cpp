#include "report/text/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "modules/list.hpp"
#include "report/text/words.hpp"

namespace trikal::report {

using analyze::Term;

namespace {

constexpr int kLabel = 14;

void line(Sink& out, std::string_view label, std::string_view text) {
  out.put(fmt::format("  {:<{}} {}\n", label, kLabel, text));
}

std::string versions_text(const ModuleFormat& module) {
  std::string text;
  for (const Form& form : module.forms) text += fmt::format("{}{}", text.empty() ? "" : ", ", form.version);
  return text;
}

// The run a counter is one of, or the counters of a run.
void write_buckets(Sink& out, const Term& term) {
  const Counter& counter = term.counter;
  if (counter.labels.empty()) return;
  for (std::size_t i = 0; i < counter.width(); ++i) {
    if (term.bucket != analyze::kWholeRun && i != term.bucket) continue;
    const std::string words = bucket_words(counter, i);
    const std::string name = bucket_name(counter, i);
    if (term.bucket != analyze::kWholeRun) {
      line(out, "this one", fmt::format("{} of {}{}", i + 1, counter.width(), words.empty() ? "" : ": " + words));
    } else {
      line(out, i == 0 ? "counters" : "", words.empty() ? name : fmt::format("{}: {}", name, words));
    }
  }
  if (term.bucket == analyze::kWholeRun) return;
  std::string run(counter.name);
  std::ranges::replace(run, '#', '*');
  line(out, "one of", run);
}

// Numbered names stand for as many as there are.
void write_numbers(Sink& out, const Term& term) {
  if (!term.counter.labels.empty() || term.counter.name.find('#') == std::string_view::npos) return;
  line(out, "named", fmt::format("{}, * being a number", term.name()));
}

std::size_t counters_in(const ModuleFormat& module) { return slots_in(module.schema->counters); }

}  // namespace

void explain_term(Sink& out, const Term& term) {
  const ModuleSchema& schema = *term.module->schema;
  out.put(fmt::format("{}\n  {}\n\n", term.name(), term.counter.help));
  line(out, "module", fmt::format("{}: {}", schema.name, schema.help));
  line(out, "unit", unit_words(term.counter.unit));
  write_buckets(out, term);
  write_numbers(out, term);
  line(out, "over ranks", fold_words(term.counter.fold));
  std::string_view label = "special values";
  for (const SpecialValue& special : special_values(term)) {
    line(out, label, fmt::format("{}: {}", special.value, special.meaning));
    label = "";
  }
  const bool always = term.since == term.module->forms.front().version;
  line(out, "since",
       always ? "the first record version" : fmt::format("record version {} of {}", term.since, schema.version));
}

void explain_module(Sink& out, const ModuleFormat& module) {
  const ModuleSchema& schema = *module.schema;
  out.put(fmt::format("{}\n  {}\n\n", schema.name, schema.help));
  line(out, "module id", fmt::format("{}", schema.id));
  line(out, "record versions", versions_text(module));
  line(out, "counters", fmt::format("{}, their names begin with {}_", counters_in(module), schema.prefix));
  line(out, "in --total", schema.totals ? "yes" : "no");
  if (schema.shape == Shape::kSliced) line(out, "shown by", "trikal dxt");
  if (!analyze::terms_of(module).empty()) out.put("\n");
  list_terms(out, module);
}

void list_modules(Sink& out) {
  for (const ModuleFormat* module : all_modules()) {
    out.put(
        fmt::format("{:<14} {:>4} counters  {}\n", module->schema->name, counters_in(*module), module->schema->help));
  }
}

void list_terms(Sink& out, const ModuleFormat& module) {
  const std::vector<Term> terms = analyze::terms_of(module);
  std::size_t widest = 0;
  for (const Term& term : terms) widest = std::max(widest, term.name().size());
  for (const Term& term : terms) out.put(fmt::format("{:<{}}  {}\n", term.name(), widest, term.counter.help));
}

}  // namespace trikal::report
