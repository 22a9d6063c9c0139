#include "analyze/dataset/slot_history.hpp"

namespace trikal::analyze {
namespace {

// An old record full of made-up values, brought to the newest form. Negative ones: a record with a positive count
// of streams would be dropped.
std::vector<std::uint64_t> lifted(const ModuleFormat& format, const Form& form, std::int64_t seed) {
  std::vector<std::uint64_t> old(form.head_bytes / 8);
  for (std::size_t i = 0; i < old.size(); ++i) {
    old[i] = static_cast<std::uint64_t>(-seed * 1000003 - static_cast<std::int64_t>(i) * seed);
  }
  std::vector<std::uint64_t> now(format.schema->head_bytes / 8);
  if (!form.upgrade(old.data(), now.data())) now.clear();
  return now;
}

}  // namespace

std::vector<bool> known_words(const ModuleFormat& format, std::uint32_t version) {
  const Form* form = format.form(version);
  if (form == nullptr || form->upgrade == nullptr || format.schema->shape != Shape::kFixed) return {};
  // What does not change with the old values was not made from them.
  const std::vector<std::uint64_t> one = lifted(format, *form, 7);
  const std::vector<std::uint64_t> two = lifted(format, *form, 11);
  if (one.empty() || two.empty()) return {};
  std::vector<bool> known(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) known[i] = one[i] != two[i];
  return known;
}

std::uint32_t first_version_with(const ModuleFormat& format, std::size_t slot) {
  const std::size_t word = format.schema->counters_at / 8 + slot;
  for (const Form& form : format.forms) {
    const std::vector<bool> known = known_words(format, form.version);
    if (known.empty() || (word < known.size() && known[word])) return form.version;
  }
  return format.schema->version;
}

}  // namespace trikal::analyze
