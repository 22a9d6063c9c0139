#pragma once
// What changed between runs: as text, as JSON (docs/formats/comparison-json.md), as a page.

#include <string>
#include <vector>

#include "analyze/compare/run_changes.hpp"
#include "report/sink.hpp"

namespace trikal::report {

struct ComparedLog {
  std::string path, program;
  std::int64_t nprocs = 0;
  double seconds = 0;
};

struct Comparison {
  std::vector<ComparedLog> a, b;
  const analyze::RunChanges& changes;
};

inline constexpr std::string_view kComparisonSchema = "trikal-comparison 1";
inline constexpr std::string_view kComparisonTest = "Mann-Whitney, two-sided";

// At most this many files are listed, those whose time changed most.
inline constexpr std::size_t kMostComparedFiles = 500;

void write_comparison_text(Sink& out, const Comparison& comparison);
void write_comparison_json(Sink& out, const Comparison& comparison);
void write_comparison_page(Sink& out, const Comparison& comparison);

// Words for all three.
[[nodiscard]] std::string_view verdict_name(analyze::Verdict verdict);  // "noise"
[[nodiscard]] std::string_view verdict_words(analyze::Verdict verdict);  // "may be chance"
[[nodiscard]] std::string_view metric_words(std::string_view metric);  // "time in I/O"
[[nodiscard]] std::string value_words(double value, analyze::Metric unit);  // "1.20 MiB"
// "-1.50 s (-60 %)"
[[nodiscard]] std::string change_words(const analyze::NumberChange& change);
// What the comparison comes to: one or two sentences.
[[nodiscard]] std::vector<std::string> conclusions_of(const Comparison& comparison);

}  // namespace trikal::report
