#pragma once
// What changed between two runs, or between several runs of each kind, and how sure that is.

#include <vector>

#include "analyze/compare/run_digest.hpp"

namespace trikal::analyze {

enum class Verdict : std::uint8_t {
  kSame,    // not a digit changed
  kSingle,  // variation unknown: only one run on a side
  kNoise,   // such a difference comes by chance often enough
  kApart,   // all of one side beyond all of the other, but too few runs to be sure
  kSure,    // by the test
};

struct NumberChange {
  const DigestKey* key = nullptr;
  Metric unit = Metric::kCount;
  std::vector<double> a, b;  // one for each run, in their order; 0 where a run has none
  double middle_a = 0, middle_b = 0;  // medians
  double chance = 1;  // Mann and Whitney's, two-sided
  Verdict verdict = Verdict::kSingle;
  bool only_a = false, only_b = false;  // no run of the other side has it

  [[nodiscard]] double difference() const { return middle_b - middle_a; }
};

// Digests must outlive it: keys are theirs.
struct RunChanges {
  double alpha = 0.05;
  std::vector<NumberChange> numbers;  // by aspect, subject, metric
  std::size_t tested = 0;  // how many had enough runs to be tested, and how many of those are sure
  std::size_t sure = 0;

  [[nodiscard]] const NumberChange* find(Aspect aspect, std::string_view subject, std::string_view metric) const;
};

[[nodiscard]] RunChanges compare_runs(std::span<const RunDigest> a, std::span<const RunDigest> b, double alpha);

// Subjects of an aspect, those first whose seconds changed most. For layers and the run it is the order they have.
struct SubjectChange {
  std::string_view subject;
  std::span<const NumberChange> numbers;
};
[[nodiscard]] std::vector<SubjectChange> subjects_of(const RunChanges& changes, Aspect aspect);

}  // namespace trikal::analyze
