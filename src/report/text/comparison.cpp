#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"

namespace trikal::report {
namespace {

using analyze::Aspect;
using analyze::Metric;
using analyze::NumberChange;
using analyze::SubjectChange;
using analyze::Verdict;

constexpr std::size_t kMostFilesInText = 10;

std::string_view side_words(const NumberChange& change) {
  return change.only_a ? "  only in A" : change.only_b ? "  only in B" : "";
}

void write_line(Sink& out, std::string_view name, const NumberChange& change) {
  out.put(fmt::format("  {:<34} {:>12} {:>12}  {:<22} {}{}\n", printable(name),
                      value_words(change.middle_a, change.unit), value_words(change.middle_b, change.unit),
                      change_words(change), verdict_words(change.verdict), side_words(change)));
}

// One line a subject: its seconds.
void write_subjects(Sink& out, const Comparison& comparison, Aspect aspect, std::string_view title, std::size_t most) {
  std::vector<SubjectChange> subjects = subjects_of(comparison.changes, aspect);
  std::erase_if(subjects, [](const SubjectChange& subject) {
    return std::ranges::all_of(subject.numbers, [](const NumberChange& n) { return n.verdict == Verdict::kSame; });
  });
  if (subjects.empty()) return;
  out.put(fmt::format("\n{}\n", title));
  for (std::size_t i = 0; i < std::min(most, subjects.size()); ++i) {
    const auto seconds = std::ranges::find(subjects[i].numbers, Metric::kSeconds, &NumberChange::unit);
    if (seconds != subjects[i].numbers.end()) write_line(out, subjects[i].subject, *seconds);
  }
  if (subjects.size() > most) out.put(fmt::format("  and {} more\n", subjects.size() - most));
}

void write_logs(Sink& out, std::string_view side, const std::vector<ComparedLog>& logs) {
  for (const ComparedLog& log : logs)
    out.put(fmt::format("{}  {} · {} process{} · {}   {}\n", side, log.program, analyze::grouped(log.nprocs),
                        log.nprocs == 1 ? "" : "es", analyze::timed(log.seconds), printable(log.path)));
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame: return "same";
    case Verdict::kSingle: return "single";
    case Verdict::kNoise: return "noise";
    case Verdict::kApart: return "apart";
    case Verdict::kSure: return "sure";
  }
  return "";
}

std::string_view verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame: return "the same";
    case Verdict::kSingle: return "";  // said once, for all
    case Verdict::kNoise: return "may be chance";
    case Verdict::kApart: return "apart, but too few runs to be sure";
    case Verdict::kSure: return "sure";
  }
  return "";
}

std::string_view metric_words(std::string_view metric) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"seconds", "time"},
      {"io_seconds", "time in I/O"},
      {"read_seconds", "time of reading"},
      {"write_seconds", "time of writing"},
      {"meta_seconds", "time of metadata"},
      {"own_seconds", "time in it alone"},
      {"above_posix_seconds", "time above POSIX"},
      {"bytes_read", "bytes read"},
      {"bytes_written", "bytes written"},
      {"mib_per_s_by_slowest", "MiB/s by the slowest"},
  };
  const auto* const found = std::ranges::find(kWords, metric, [](const auto& one) { return one.first; });
  return found == std::end(kWords) ? metric : found->second;
}

std::string value_words(double value, Metric unit) {
  switch (unit) {
    case Metric::kSeconds: return value < 0 ? "-" + analyze::timed(-value) : analyze::timed(value);
    case Metric::kBytes: return value < 0 ? "-" + analyze::sized(-value) : analyze::sized(value);
    case Metric::kRate: return fmt::format("{:.1f}", value);
    case Metric::kCount: break;
  }
  return value < 0 ? "-" + analyze::grouped(analyze::whole(-value)) : analyze::grouped(analyze::whole(value));
}

std::string change_words(const NumberChange& change) {
  if (change.verdict == Verdict::kSame) return "";
  const double difference = change.difference();
  std::string text = (difference > 0 ? "+" : "") + value_words(difference, change.unit);
  if (change.middle_a > 0) text += fmt::format(" ({:+.0f} %)", 100 * difference / change.middle_a);
  return text;
}

std::vector<std::string> conclusions_of(const Comparison& comparison) {
  std::vector<std::string> said;
  const NumberChange* seconds = comparison.changes.find(Aspect::kRun, "", "seconds");
  if (seconds != nullptr) {
    const double difference = seconds->difference();
    said.push_back(difference == 0
                       ? "B took as long as A."
                       : fmt::format("B took {} {} than A: {} instead of {}.", analyze::timed(std::abs(difference)),
                                     difference < 0 ? "less" : "longer", analyze::timed(seconds->middle_b),
                                     analyze::timed(seconds->middle_a)));
  }
  if (comparison.a.size() < 2 || comparison.b.size() < 2) {
    said.emplace_back("One run of a kind does not tell how much runs vary: give several of each to know what is sure.");
    return said;
  }
  said.push_back(fmt::format(
      "Numbers are medians of {} and {} runs. {} of {} numbers that differ are sure ({}, at most {:g} by chance; of {} "
      "about {:.0f} would be so by chance).",
      comparison.a.size(), comparison.b.size(), comparison.changes.sure, comparison.changes.tested, kComparisonTest,
      comparison.changes.alpha, comparison.changes.tested,
      comparison.changes.alpha * static_cast<double>(comparison.changes.tested)));
  return said;
}

void write_comparison_text(Sink& out, const Comparison& comparison) {
  write_logs(out, "A", comparison.a);
  write_logs(out, "B", comparison.b);
  out.put("\n");
  for (const std::string& sentence : conclusions_of(comparison)) out.put(sentence + "\n");
  out.put(fmt::format("\n{:<36} {:>12} {:>12}  change\nthe run\n", "", "A", "B"));
  for (const SubjectChange& run : subjects_of(comparison.changes, Aspect::kRun)) {
    for (const NumberChange& number : run.numbers) write_line(out, metric_words(number.key->metric), number);
  }
  const auto differs = [](const NumberChange& number) { return number.verdict != Verdict::kSame; };
  for (const SubjectChange& layer : subjects_of(comparison.changes, Aspect::kLayer)) {
    if (std::ranges::none_of(layer.numbers, differs)) continue;
    out.put(fmt::format("\n{}\n", layer.subject));
    for (const NumberChange& number : layer.numbers) {
      if (differs(number)) write_line(out, metric_words(number.key->metric), number);
    }
  }
  write_subjects(out, comparison, Aspect::kFinding, "findings, by what they cost", kMostComparedFiles);
  write_subjects(out, comparison, Aspect::kPhase, "phases", kMostComparedFiles);
  write_subjects(out, comparison, Aspect::kFile, "files, by how much their time changed", kMostFilesInText);
}

}  // namespace trikal::report
