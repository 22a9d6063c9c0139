#include <fmt/format.h>

#include <algorithm>

#include "report/comparison.hpp"
#include "report/html/page.hpp"

namespace trikal::report {
namespace {

using analyze::Aspect;
using analyze::Metric;
using analyze::NumberChange;
using analyze::SubjectChange;
using analyze::Verdict;

constexpr std::string_view kSentence = "class=\"sentence\"";

class Page {
 public:
  explicit Page(Sink& out) : out_(out) {}

  void element(std::string_view name, std::string_view text, std::string_view attributes = "") {
    out_.put(fmt::format("<{}{}{}>", name, attributes.empty() ? "" : " ", attributes));
    put_escaped(out_, text);
    out_.put(fmt::format("</{}>\n", name));
  }

  // A heading, a sentence that says what the table means, and the table up to its rows.
  void open_table(std::string_view id, std::string_view title, std::string_view sentence, std::string_view what) {
    out_.put(fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n", id));
    element("h2", title, fmt::format("id=\"{}-title\"", id));
    element("p", sentence, kSentence);
    out_.put(fmt::format("<div class=\"scroll\" role=\"region\" aria-labelledby=\"{}-title\" tabindex=\"0\">\n", id));
    out_.put("<table class=\"changes\">\n<thead><tr>\n");
    element("th", what, "scope=\"col\"");
    for (const std::string_view column : {"A", "B", "change"}) element("th", column, "scope=\"col\" class=\"number\"");
    element("th", "A over B", "scope=\"col\" class=\"wide\"");
    element("th", "how sure", "scope=\"col\"");
    out_.put("</tr></thead>\n<tbody>\n");
  }
  void row(std::string_view name, const NumberChange& change) {
    out_.put(change.verdict == Verdict::kSame ? "<tr class=\"muted\">" : "<tr>");
    element("td", name, "class=\"path\"");
    element("td", change.only_b ? "–" : value_words(change.middle_a, change.unit), "class=\"number\"");
    element("td", change.only_a ? "–" : value_words(change.middle_b, change.unit), "class=\"number\"");
    element("td", unbroken(change_words(change)), "class=\"number change\"");
    bars(change);
    sureness(change);
    out_.put("</tr>\n");
  }
  void close_table() { out_.put("</tbody>\n</table>\n</div>\n</section>\n"); }

  // The runs of one side; a line each, behind a fold where there are many.
  void logs(std::string_view side, const std::vector<ComparedLog>& logs) {
    constexpr std::size_t kFew = 2;
    const auto line = [](const ComparedLog& log) {
      return fmt::format("{} · {} process{} · {} · {}", log.program, log.nprocs, log.nprocs == 1 ? "" : "es",
                         value_words(log.seconds, Metric::kSeconds), log.path);
    };
    if (logs.size() <= kFew) {
      for (const ComparedLog& log : logs) element("p", fmt::format("{}: {}", side, line(log)), "class=\"muted\"");
      return;
    }
    out_.put("<details>\n");
    element("summary", fmt::format("{}: {} runs", side, logs.size()));
    for (const ComparedLog& log : logs) element("p", line(log), "class=\"muted\"");
    out_.put("</details>\n");
  }

 private:
  // Both sides by the length of the larger one. The numbers beside them say the same.
  void bars(const NumberChange& change) {
    const double most = std::max(change.middle_a, change.middle_b);
    const auto width = [most](double value) { return most > 0 ? std::clamp(100 * value / most, 0.0, 100.0) : 0.0; };
    out_.put(
        fmt::format("<td class=\"wide\" aria-hidden=\"true\"><span class=\"pair\"><i class=\"fill before\" "
                    "style=\"width:{:.1f}%\"></i><i class=\"fill plain\" style=\"width:{:.1f}%\"></i></span></td>\n",
                    width(change.middle_a), width(change.middle_b)));
  }
  // The chance is left to those who have space for it.
  void sureness(const NumberChange& change) {
    out_.put("<td>");
    out_.put(change.verdict == Verdict::kSingle ? "one run" : verdict_words(change.verdict));
    if (change.verdict != Verdict::kSame && change.verdict != Verdict::kSingle)
      element("span", fmt::format(" (p\u00a0=\u00a0{:.2g})", change.chance), "class=\"wide\"");
    out_.put("</td>\n");
  }
  // "-1.50 s (-60 %)" may be broken before the parenthesis only.
  static std::string unbroken(std::string_view words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool holds = words[i] == ' ' && i + 1 < words.size() && words[i + 1] != '(';
      if (holds) text += "\u00a0";
      else text += words[i];
    }
    return text;
  }
  Sink& out_;
};

struct Part {
  Aspect aspect;
  std::string_view id, title, sentence, what;
};

// What is nothing on both sides is left out.
void write_numbers(Page& page, const SubjectChange& subject) {
  for (const NumberChange& number : subject.numbers) {
    if (number.middle_a != 0 || number.middle_b != 0) page.row(metric_words(number.key->metric), number);
  }
}

// One row a subject, its seconds; those that are the same on both sides are left out.
void write_subjects(Page& page, const Comparison& comparison, const Part& part) {
  std::vector<const NumberChange*> rows;
  for (const SubjectChange& subject : subjects_of(comparison.changes, part.aspect)) {
    const auto seconds = std::ranges::find(subject.numbers, Metric::kSeconds, &NumberChange::unit);
    if (seconds != subject.numbers.end() && seconds->verdict != Verdict::kSame) rows.push_back(&*seconds);
  }
  if (rows.empty()) return;
  page.open_table(part.id, part.title, part.sentence, part.what);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostComparedFiles); ++i) page.row(rows[i]->key->subject, *rows[i]);
  page.close_table();
}

}  // namespace

void write_comparison_page(Sink& out, const Comparison& comparison) {
  write_plain_head(out, "trikal diff");
  Page page(out);
  page.element("p", "trikal diff", "class=\"brand\"");
  page.element("h1", comparison.b.empty() ? "What changed" : fmt::format("What changed: {}", comparison.b[0].program));
  std::string_view look = "class=\"verdict\"";
  for (const std::string& sentence : conclusions_of(comparison)) page.element("p", sentence, look), look = kSentence;
  page.logs("A", comparison.a);
  page.logs("B", comparison.b);
  write_subjects(page, comparison,
                 {Aspect::kFinding, "findings", "Findings",
                  "What is slow or wrong, by the seconds it costs; – where that side has no such finding.", "finding"});
  page.open_table("run", "The run", "The whole run; time in I/O is the slowest rank's.", "what");
  for (const SubjectChange& run : subjects_of(comparison.changes, Aspect::kRun)) write_numbers(page, run);
  page.close_table();
  write_subjects(
      page, comparison,
      {Aspect::kPhase, "phases", "Phases", "Time of each phase on the rank that was in it longest.", "phase"});
  write_subjects(page, comparison,
                 {Aspect::kFile, "files", "Files", "Time in calls on a file, those that changed most first.", "file"});
  for (const SubjectChange& layer : subjects_of(comparison.changes, Aspect::kLayer)) {
    page.open_table(fmt::format("layer-{}", layer.subject), layer.subject,
                    "Calls, bytes and time of all ranks together through this layer, where there were any.", "what");
    write_numbers(page, layer);
    page.close_table();
  }
  write_plain_tail(out);
}

}  // namespace trikal::report
