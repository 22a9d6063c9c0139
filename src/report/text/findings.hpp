#pragma once
// Findings on a terminal.

#include "analyze/rules/rule.hpp"
#include "report/sink.hpp"

namespace trikal::report {

[[nodiscard]] std::string_view severity_name(analyze::Severity severity);  // "high"

// The first few, two lines each: what it costs, what it is, what to do. For the end of a run.
void write_top_findings(Sink& out, std::span<const analyze::Finding> findings, std::size_t most);
// All of them with their evidence.
void write_findings(Sink& out, std::span<const analyze::Finding> findings, const analyze::Run& run);
// What a rule is about, for `trikal explain CODE`.
void explain_rule(Sink& out, const analyze::Rule& rule);
void list_rules(Sink& out);

}  // namespace trikal::report
