#pragma once
// The schema's vocabulary in words.

#include <string>
#include <string_view>
#include <vector>

#include "analyze/dataset/vocabulary.hpp"

namespace trikal::report {

[[nodiscard]] std::string_view unit_words(Unit unit);
// How the values of several ranks become one.
[[nodiscard]] std::string_view fold_words(Fold fold);
// The fold in one word, for programs.
[[nodiscard]] std::string_view fold_name(Fold fold);
[[nodiscard]] std::string_view unit_code(Unit unit);
[[nodiscard]] std::string_view kind_name(Kind kind);
// What one of a run of counters stands for; empty if its label says it.
[[nodiscard]] std::string bucket_words(const Counter& counter, std::size_t bucket);

struct SpecialValue {
  std::string value;
  std::string meaning;
};
// Values that are no quantities.
[[nodiscard]] std::vector<SpecialValue> special_values(const analyze::Term& term);

}  // namespace trikal::report
