#include "report/text/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"
#include "analyze/rules/policy.hpp"

namespace trikal::report {
namespace {

using analyze::Finding;
using analyze::Severity;

std::string cost(const Finding& finding) { return finding.seconds > 0 ? analyze::timed(finding.seconds) : "-"; }

// Breaks at spaces; every line begins with `indent` blanks.
void put_wrapped(Sink& out, std::string_view text, std::size_t indent, std::size_t width = 100) {
  const std::string blanks(indent, ' ');
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width - indent) {
      end = text.rfind(' ', width - indent);
      if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
    }
    out.put(blanks);
    out.put(text.substr(0, end));
    out.put("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Up to the first semicolon: the rest is for `insights`.
std::string_view first_clause(std::string_view text) { return text.substr(0, text.find(';')); }

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kHigh: return "high";
    case Severity::kMedium: return "medium";
    case Severity::kLow: return "low";
    case Severity::kInfo: break;
  }
  return "info";
}

void write_top_findings(Sink& out, std::span<const Finding> findings, std::size_t most) {
  if (findings.empty()) return;
  out.put("\n");
  for (std::size_t i = 0; i < std::min(findings.size(), most); ++i) {
    const Finding& finding = findings[i];
    out.put(fmt::format("  {}  {:>8}   {:<20} {}\n", i + 1, cost(finding), finding.code, finding.title));
    if (!finding.files.empty() && !finding.files.front().sites.empty())
      out.put(fmt::format("{:16}at {}\n", "", analyze::place_text(finding.files.front().sites.front())));
    put_wrapped(out, first_clause(finding.fix), 16, 110);
  }
  if (findings.size() > most) out.put(fmt::format("     and {} more: trikal insights LOG\n", findings.size() - most));
}

void write_findings(Sink& out, std::span<const Finding> findings, const analyze::Run& run) {
  constexpr std::size_t kMostFiles = 5;
  if (findings.empty()) out.put("no findings: nothing in this log looks slow or wrong\n");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const double share = run.seconds > 0 ? 100 * finding.seconds / run.seconds : 0;
    out.put(fmt::format("{}{}. {} [{}]", i == 0 ? "" : "\n", i + 1, finding.code, severity_name(finding.severity)));
    out.put(finding.seconds > 0 ? fmt::format("  about {} lost, {:.1f} % of the run\n", cost(finding), share) : "\n");
    put_wrapped(out, finding.title, 3);
    for (const std::string& line : finding.evidence) put_wrapped(out, "- " + line, 3);
    for (std::size_t f = 0; f < std::min(finding.files.size(), kMostFiles); ++f) {
      const analyze::FileEvidence& file = finding.files[f];
      out.put(fmt::format("   - {}: {}{}\n", file.name.empty() ? "(no name)" : file.name, file.text,
                          file.seconds > 0 ? ", " + analyze::timed(file.seconds) : ""));
      for (const analyze::SiteUse& site : file.sites)
        out.put(fmt::format("     at {}: {} {}, {}\n", analyze::place_text(site), analyze::grouped(site.count),
                            site.operation, analyze::timed(site.seconds)));
    }
    if (finding.files.size() > kMostFiles)
      out.put(fmt::format("   - and {} more files\n", finding.files.size() - kMostFiles));
    put_wrapped(out, "fix: " + std::string(finding.fix), 3);
    put_wrapped(out, "estimate: " + finding.formula, 3);
  }
  if (!findings.empty()) out.put("\ntrikal explain CODE says more of each.\n");
}

void explain_rule(Sink& out, const analyze::Rule& rule) {
  out.put(fmt::format("{}: {}\n", rule.code, rule.summary));
  put_wrapped(out, "why: " + std::string(rule.why), 2);
  put_wrapped(out, "fix: " + std::string(rule.fix), 2);
  put_wrapped(out, "seconds lost: " + std::string(rule.formula), 2);
  for (const analyze::Limit& limit : rule.limits)
    out.put(fmt::format("  limit {} = {}: {}\n", limit.name, analyze::limit_text(limit.value), limit.meaning));
}

void list_rules(Sink& out) {
  for (const analyze::Rule* rule : analyze::all_rules()) out.put(fmt::format("{:<22} {}\n", rule->code, rule->summary));
}

}  // namespace trikal::report
