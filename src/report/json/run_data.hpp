#pragma once
// A run and its findings as JSON: the pages' data, `summary --json` and `insights --json`. docs/formats/run-json.md
// describes the three.

#include "analyze/rules/rule.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {

struct LogFacts {
  std::string path;
  std::uint64_t bytes = 0;
  std::string_view version;  // of this program
};

// {"schema":"trikal-insights 1", ...}
void write_insights_json(Sink& out, const analyze::Run& run, std::span<const analyze::Finding> findings);
// {"schema":"trikal-summary 1", ...}: everything but the long lists.
void write_summary_json(Sink& out, const analyze::Run& run, std::span<const analyze::Finding> findings,
                        const LogFacts& facts);
// {"schema":"trikal-report 1", ...}: what the page shows. Long lists are cut, and say so.
void write_report_json(Sink& out, const analyze::Run& run, std::span<const analyze::Finding> findings,
                       const LogFacts& facts);

// What a reader should know before trusting the numbers.
[[nodiscard]] std::vector<std::string> warnings_of(const analyze::Run& run);

}  // namespace trikal::report
