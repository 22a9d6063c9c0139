#include "analyze/compare/run_changes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "analyze/metrics/statistics.hpp"

namespace trikal::analyze {
namespace {

bool do_not_overlap(const std::vector<double>& a, const std::vector<double>& b) {
  const auto [least_a, most_a] = std::ranges::minmax_element(a);
  const auto [least_b, most_b] = std::ranges::minmax_element(b);
  return *most_a < *least_b || *most_b < *least_a;
}

Verdict verdict_of(const NumberChange& change, double alpha) {
  const auto is_first = [&](double value) { return value == change.a.front(); };
  if (std::ranges::all_of(change.a, is_first) && std::ranges::all_of(change.b, is_first)) return Verdict::kSame;
  if (change.a.size() < 2 || change.b.size() < 2) return Verdict::kSingle;
  if (change.chance <= alpha) return Verdict::kSure;
  return do_not_overlap(change.a, change.b) ? Verdict::kApart : Verdict::kNoise;
}

// Whether any run has the number.
bool gather(std::span<const RunDigest> runs, const DigestKey& key, std::vector<double>& values, Metric& unit) {
  bool any = false;
  for (const RunDigest& run : runs) {
    const auto found = run.numbers.find(key);
    values.push_back(found == run.numbers.end() ? 0 : found->second.value);
    if (found != run.numbers.end()) any = true, unit = found->second.unit;
  }
  return any;
}

// What a subject is listed by: its time, or, where that is the same, how much its largest number changed.
double weight_of(const SubjectChange& subject) {
  double weight = 0;
  for (const NumberChange& number : subject.numbers) {
    if (number.unit == Metric::kSeconds) weight = std::max(weight, std::abs(number.difference()));
  }
  return weight;
}

}  // namespace

const NumberChange* RunChanges::find(Aspect aspect, std::string_view subject, std::string_view metric) const {
  const auto found = std::ranges::find_if(numbers, [&](const NumberChange& number) {
    return number.key->aspect == aspect && number.key->subject == subject && number.key->metric == metric;
  });
  return found == numbers.end() ? nullptr : &*found;
}

RunChanges compare_runs(std::span<const RunDigest> a, std::span<const RunDigest> b, double alpha) {
  const auto before = [](const DigestKey* one, const DigestKey* other) { return *one < *other; };
  std::set<const DigestKey*, decltype(before)> keys(before);
  for (const auto side : {a, b}) {
    for (const RunDigest& run : side) {
      for (const auto& [key, value] : run.numbers) keys.insert(&key);
    }
  }
  RunChanges changes{.alpha = alpha, .numbers = {}};
  changes.numbers.reserve(keys.size());
  for (const DigestKey* key : keys) {
    NumberChange change{.key = key, .a = {}, .b = {}};
    const bool in_a = gather(a, *key, change.a, change.unit), in_b = gather(b, *key, change.b, change.unit);
    change.only_a = !in_b, change.only_b = !in_a;
    change.middle_a = median(change.a), change.middle_b = median(change.b);
    if (a.size() > 1 && b.size() > 1) change.chance = rank_sum_test(change.a, change.b);
    change.verdict = verdict_of(change, alpha);
    changes.tested += change.verdict > Verdict::kSingle ? 1 : 0;
    changes.sure += change.verdict == Verdict::kSure ? 1 : 0;
    changes.numbers.push_back(std::move(change));
  }
  return changes;
}

std::vector<SubjectChange> subjects_of(const RunChanges& changes, Aspect aspect) {
  std::vector<SubjectChange> subjects;
  const std::span<const NumberChange> all(changes.numbers);
  for (std::size_t first = 0; first < all.size();) {
    const DigestKey& key = *all[first].key;
    std::size_t end = first;
    while (end < all.size() && all[end].key->aspect == key.aspect && all[end].key->subject == key.subject) ++end;
    if (key.aspect == aspect) subjects.push_back({key.subject, all.subspan(first, end - first)});
    first = end;
  }
  if (aspect != Aspect::kLayer) {
    std::ranges::stable_sort(subjects, [](const SubjectChange& one, const SubjectChange& other) {
      return weight_of(one) > weight_of(other);
    });
  }
  return subjects;
}

}  // namespace trikal::analyze
