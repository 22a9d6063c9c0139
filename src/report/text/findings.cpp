#include "report/text/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"
#include "analyze/rules/policy.hpp"
#include "base/utf8.hpp"
#include "report/text/wrapped.hpp"

namespace trikal::report {
namespace {

using analyze::Finding;
using analyze::Severity;

// "1.2 to 3.0 s", where the promise is not exact.
std::string range_of(const Finding& finding) {
  constexpr double kSame = 1.1;
  if (finding.most <= kSame * finding.least) return {};
  return fmt::format(" ({} to {})", analyze::timed(finding.least), analyze::timed(finding.most));
}

std::string cost(const Finding& finding) { return finding.seconds > 0 ? analyze::timed(finding.seconds) : "-"; }

Style style_of(Severity severity) {
  return severity == Severity::kHigh ? Style::kBad : severity == Severity::kMedium ? Style::kWarning : Style::kStrong;
}

void put_site(Sink& out, const analyze::SiteUse& site) {
  out.put(fmt::format("     at {}: {} {}{}, {}\n", printable(analyze::site_text(site)), analyze::grouped(site.count),
                      site.operation, printable(analyze::through_text(site)), analyze::timed(site.seconds)));
  if (!site.text.empty()) out.put(fmt::format("       | {}\n", printable(site.text)));
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
    out.put(fmt::format("  {}  {:>8}   ", i + 1, cost(finding)));
    out.put(fmt::format("{:<20}", finding.code), style_of(finding.severity));
    out.put(fmt::format(" {}\n", printable(finding.title)));
    if (!finding.files.empty() && !finding.files.front().sites.empty())
      out.put(fmt::format("{:16}at {}\n", "", printable(analyze::site_text(finding.files.front().sites.front()))));
    put_wrapped(out, first_clause(finding.fix), 16);
  }
  const auto shown = findings.first(std::min(findings.size(), most));
  const auto is_shown = [shown](std::string_view code) {
    return std::ranges::find(shown, code, &Finding::code) != shown.end();
  };
  if (std::ranges::any_of(shown, [&](const Finding& one) { return std::ranges::any_of(one.overlaps, is_shown); }))
    out.put("     some of these seconds are the same ones: they do not add up\n");
  if (findings.size() > most) out.put(fmt::format("     and {} more: trikal insights LOG\n", findings.size() - most));
}

void write_findings(Sink& out, std::span<const Finding> findings, const analyze::Run& run) {
  constexpr std::size_t kMostFiles = 5;
  if (findings.empty()) out.put("no findings: nothing in this log looks slow or wrong\n");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const double share = run.seconds > 0 ? 100 * finding.seconds / run.seconds : 0;
    out.put(i == 0 ? "" : "\n");
    out.put(fmt::format("{}. {} [{}]", i + 1, finding.code, severity_name(finding.severity)),
            style_of(finding.severity));
    out.put(finding.seconds > 0
                ? fmt::format("  about {} lost{}, {:.1f} % of the run\n", cost(finding), range_of(finding), share)
                : "\n");
    put_wrapped(out, printable(finding.title), 3, Style::kStrong);
    for (const std::string& line : finding.evidence) put_wrapped(out, printable("- " + line), 3);
    for (std::size_t f = 0; f < std::min(finding.files.size(), kMostFiles); ++f) {
      const analyze::FileEvidence& file = finding.files[f];
      out.put(fmt::format("   - {}: {}{}\n", file.name.empty() ? "(no name)" : printable(file.name), file.text,
                          file.seconds > 0 ? ", " + analyze::timed(file.seconds) : ""));
      for (const analyze::SiteUse& site : file.sites) put_site(out, site);
    }
    if (const std::size_t all = std::max(finding.file_count, finding.files.size()); all > kMostFiles)
      out.put(fmt::format("   - and {} more files\n", analyze::grouped(static_cast<std::int64_t>(all - kMostFiles))));
    put_wrapped(out, "fix: " + std::string(finding.fix), 3, Style::kGood);
    put_wrapped(out, "estimate: " + finding.formula, 3);
    if (!finding.overlaps.empty())
      put_wrapped(
          out, fmt::format("overlaps: much of this time is counted in {} as well", fmt::join(finding.overlaps, ", ")),
          3);
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
