// docs/rules.md: every rule, what it looks for and its limits, from the rules themselves.

#include <fmt/format.h>

#include "analyze/rules/policy.hpp"
#include "cli/manual/documents.hpp"

namespace trikal::cli {
namespace {

constexpr std::string_view kHead =
    "# Rules\n\n"
    "What `trikal insights` looks for. This page is made from the rules themselves (`trikal generate rules -o docs`).\n"
    "Seconds are estimates of what the run would save on the slowest rank's clock; the formula of each finding is "
    "shown\n"
    "with it. Limits can be changed, and rules muted, by a [policy file](configuration.md#policy-of-a-site). \"The "
    "best\n"
    "rate of this run\" is that of its largest accesses in the same direction; where there are none, of the other\n"
    "direction, and else what a healthy file system of that type gives a rank: 1 GiB/s of a local disk or page cache, "
    "2 GiB/s of\n"
    "memory, 500 MiB/s of Lustre and its like, 100 MiB/s of NFS, divided where many ranks share a server. Accesses "
    "that are synced one\n"
    "by one or mostly small are no measure. Each finding has a range: how much less it is if all ranks lose alike or "
    "storage is slower,\n"
    "how much more if it is faster; a factor of two where nothing better is known.\n\n";

// A cell of a table ends at a bar.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

}  // namespace

std::vector<Document> rules_table() {
  std::string text(kHead);
  text += "| code | finds | limits |\n|---|---|---|\n";
  for (const analyze::Rule* rule : analyze::all_rules()) {
    std::string limits;
    for (const analyze::Limit& limit : rule->limits)
      limits += fmt::format("{}`{}` = {}", limits.empty() ? "" : ", ", limit.name, analyze::limit_text(limit.value));
    text += fmt::format("| [`{0}`](#{0}) | {1} | {2} |\n", rule->code, cell(rule->summary), limits);
  }
  for (const analyze::Rule* rule : analyze::all_rules()) {
    text +=
        fmt::format("\n## {}\n\n{} Seconds lost: {}.\n\nFix: {}\n", rule->code, rule->why, rule->formula, rule->fix);
    if (!rule->limits.empty()) text += "\n| limit | default | |\n|---|---|---|\n";
    for (const analyze::Limit& limit : rule->limits)
      text += fmt::format("| `{}` | {} | {} |\n", limit.name, analyze::limit_text(limit.value), cell(limit.meaning));
  }
  return {{"rules.md", text}};
}

}  // namespace trikal::cli
