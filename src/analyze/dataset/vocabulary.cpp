#include "analyze/dataset/vocabulary.hpp"

#include <algorithm>
#include <cctype>

#include "analyze/dataset/slot_history.hpp"
#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool same_character(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, same_character); }

// A '#' of the pattern takes digits, or stands for itself, written '#' or '*'.
bool matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty()) {
    if (pattern.front() == '#') {
      if (name.empty() || (!is_digit(name.front()) && name.front() != '#' && name.front() != '*')) return false;
      const bool digits = is_digit(name.front());
      do name.remove_prefix(1);
      while (digits && !name.empty() && is_digit(name.front()));
    } else {
      if (name.empty() || !same_character(pattern.front(), name.front())) return false;
      name.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return name.empty();
}

bool find_in(Term& term, std::string_view name) {
  if (term.counter.labels.empty()) return matches(term.counter.name, name);
  for (std::size_t i = 0; i < term.counter.width(); ++i) {
    if (same_name(bucket_name(term.counter, i), name)) return term.bucket = i, true;
  }
  std::string run(name);
  std::ranges::replace(run, '*', '#');
  return same_name(term.counter.name, run);
}

}  // namespace

std::string Term::name() const {
  if (bucket != kWholeRun) return bucket_name(counter, bucket);
  std::string text(counter.name);
  std::ranges::replace(text, '#', '*');
  return text;
}

std::vector<Term> terms_of(const ModuleFormat& module) {
  std::vector<Term> terms;
  std::size_t slot = 0;
  for (const Counter& counter : module.schema->counters) {
    terms.push_back({&module, counter, slot, kWholeRun, first_version_with(module, slot)});
    slot += counter.width();
  }
  for (const Field& field : module.schema->fields) {
    if (field.line.empty()) continue;
    const Counter as_counter{field.line, Unit::kId, Fold::kKeep, field.help, {}, Kind::kUint};
    terms.push_back({&module, as_counter, kNoSlot, kWholeRun, module.forms.front().version});
  }
  if (module.record_view == nullptr) return terms;
  for (const Counter& counter : module.record_view->also) {
    terms.push_back({&module, counter, kNoSlot, kWholeRun, module.forms.front().version});
  }
  return terms;
}

std::optional<Term> find_term(std::string_view name) {
  for (const ModuleFormat* module : all_modules()) {
    for (Term& term : terms_of(*module)) {
      if (find_in(term, name)) return term;
    }
  }
  return {};
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const ModuleFormat* module : all_modules()) {
    names.emplace_back(module->schema->name);
    for (const Term& term : terms_of(*module)) {
      if (term.counter.labels.empty()) {
        names.push_back(term.name());
        continue;
      }
      for (std::size_t i = 0; i < term.counter.width(); ++i) names.push_back(bucket_name(term.counter, i));
    }
  }
  return names;
}

}  // namespace trikal::analyze
