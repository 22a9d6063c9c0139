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
    element("p", sentence, "class=\"sentence\"");
    out_.put(fmt::format("<div class=\"scroll\" role=\"region\" aria-labelledby=\"{}-title\" tabindex=\"0\">\n", id));
    out_.put("<table>\n<thead><tr>\n");
    element("th", what, "scope=\"col\"");
    for (const std::string_view column : {"A", "B", "change"}) element("th", column, "scope=\"col\" class=\"number\"");
    element("th", "how sure", "scope=\"col\"");
    out_.put("</tr></thead>\n<tbody>\n");
  }
  void row(std::string_view name, const NumberChange& change) {
    out_.put("<tr>");
    element("td", name);
    element("td", change.only_b ? "–" : value_words(change.middle_a, change.unit), "class=\"number\"");
    element("td", change.only_a ? "–" : value_words(change.middle_b, change.unit), "class=\"number\"");
    element("td", change_words(change), "class=\"number\"");
    element("td", sureness(change));
    out_.put("</tr>\n");
  }
  void close_table() { out_.put("</tbody>\n</table>\n</div>\n</section>\n"); }

 private:
  static std::string sureness(const NumberChange& change) {
    if (change.verdict == Verdict::kSingle) return "one run";
    std::string words(verdict_words(change.verdict));
    if (change.verdict != Verdict::kSame) words += fmt::format(" (p = {:.2g})", change.chance);
    return words;
  }
  Sink& out_;
};

void write_logs(Page& page, std::string_view side, const std::vector<ComparedLog>& logs) {
  for (const ComparedLog& log : logs)
    page.element("p",
                 fmt::format("{}: {} · {} process{} · {} · {}", side, log.program, log.nprocs,
                             log.nprocs == 1 ? "" : "es", value_words(log.seconds, Metric::kSeconds), log.path),
                 "class=\"muted\"");
}

struct Part {
  Aspect aspect;
  std::string_view id, title, sentence, what;
};

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
  for (const std::string& sentence : conclusions_of(comparison)) page.element("p", sentence, "class=\"sentence\"");
  write_logs(page, "A", comparison.a);
  write_logs(page, "B", comparison.b);
  page.open_table("run", "The run", "The whole run; time in I/O is the slowest rank's.", "what");
  for (const SubjectChange& run : subjects_of(comparison.changes, Aspect::kRun)) {
    for (const NumberChange& number : run.numbers) page.row(metric_words(number.key->metric), number);
  }
  page.close_table();
  write_subjects(page, comparison,
                 {Aspect::kFinding, "findings", "Findings",
                  "What is slow or wrong, by the seconds it costs; – where that side has no such finding.", "finding"});
  for (const SubjectChange& layer : subjects_of(comparison.changes, Aspect::kLayer)) {
    page.open_table(fmt::format("layer-{}", layer.subject), layer.subject,
                    "Calls, bytes and time of all ranks together through this layer.", "what");
    for (const NumberChange& number : layer.numbers) page.row(metric_words(number.key->metric), number);
    page.close_table();
  }
  write_subjects(
      page, comparison,
      {Aspect::kPhase, "phases", "Phases", "Time of each phase on the rank that was in it longest.", "phase"});
  write_subjects(page, comparison,
                 {Aspect::kFile, "files", "Files", "Time in calls on a file, those that changed most first.", "file"});
  write_plain_tail(out);
}

}  // namespace trikal::report
