#include "report/sarif/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analyze/dataset/static_findings.hpp"
#include "analyze/rules/judge.hpp"
#include "base/hash.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

using analyze::Prediction;
using analyze::StaticFinding;
using analyze::StaticRule;

constexpr std::string_view kRoot = "SRCROOT";

std::string_view level_of(const StaticRule& rule) {
  return rule.level == analyze::StaticLevel::kNote ? "note" : "warning";
}

void put_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.open_object();
  json.field("text", text);
  json.close();
}

void put_rule(JsonWriter& json, const StaticRule& rule) {
  json.line();
  json.open_object();
  json.field("id", rule.code);
  put_text(json, "shortDescription", rule.title);
  put_text(json, "fullDescription", rule.why);
  json.key("help");
  json.open_object();
  json.field("text", fmt::format("{} {} (docs/predict.md)", rule.why, rule.fix));
  json.field("markdown", fmt::format("{}\n\n**Do this:** {}", rule.why, rule.fix));
  json.close();
  json.key("defaultConfiguration");
  json.open_object();
  json.field("level", level_of(rule));
  json.close();
  json.close();
}

// From the folder on where it is below it; else as it is.
void put_artifact(JsonWriter& json, std::string source, std::string_view folder) {
  if (source.starts_with("./")) source.erase(0, 2);
  const bool below = !folder.empty() && source.size() > folder.size() + 1 && source.starts_with(folder) &&
                     source[folder.size()] == '/';
  if (below) source.erase(0, folder.size() + 1);
  json.key("artifactLocation");
  json.open_object();
  json.field("uri", (source.starts_with("/") ? "file://" : "") + uri_of(source));
  if (!source.starts_with("/")) json.field("uriBaseId", kRoot);
  json.close();
}

void put_location(JsonWriter& json, const StaticFinding& finding, std::string_view folder) {
  json.open_object();
  json.key("physicalLocation");
  json.open_object();
  put_artifact(json, finding.source, folder);
  if (finding.line > 0) {
    json.key("region");
    json.open_object();
    json.field("startLine", static_cast<std::uint64_t>(finding.line));
    if (finding.column > 0) json.field("startColumn", static_cast<std::uint64_t>(finding.column));
    json.close();
  }
  json.close();
  if (!finding.function.empty()) {
    json.key("logicalLocations");
    json.open_array();
    json.open_object();
    json.field("name", std::string_view(finding.function));
    json.field("kind", "function");
    json.close();
    json.close();
  }
  json.close();
}

std::string message_of(const StaticFinding& finding) {
  const std::string more =
      finding.files > 1 ? fmt::format(" and {} more", analyze::grouped(std::llround(finding.files - 1))) : "";
  return fmt::format("{}: {} times on {}{}, about {} lost. {}", finding.rule->title,
                     analyze::grouped(std::llround(finding.times)), finding.file, more, analyze::timed(finding.seconds),
                     finding.rule->fix);
}

void put_result(JsonWriter& json, const StaticFinding& finding, std::string_view folder) {
  const auto rules = analyze::static_rules();
  json.line();
  json.open_object();
  json.field("ruleId", finding.code());
  json.field("ruleIndex", static_cast<std::uint64_t>(std::ranges::find(rules, finding.rule) - rules.begin()));
  json.field("level", level_of(*finding.rule));
  put_text(json, "message", message_of(finding));
  json.key("locations");
  json.open_array();
  put_location(json, finding, folder);
  json.close();
  // The same finding in the next version of the source, where lines have moved: not by its line.
  json.key("partialFingerprints");
  json.open_object();
  const std::string name = finding.source.substr(finding.source.rfind('/') + 1);
  json.field("trikalLocation/v1",
             fmt::format("{:016x}", record_id(fmt::format("{}\n{}\n{}", finding.code(), name, finding.function))));
  json.close();
  json.key("properties");
  json.open_object();
  json.field("predictedSeconds", finding.seconds);
  json.field("times", finding.times);
  json.field("file", std::string_view(finding.file));
  json.field("files", finding.files);
  json.field("certainty", name_of(finding.certainty));
  json.field("rank", finding.rank);
  json.close();
  json.close();
}

// What was not known, for whoever wonders about a number.
void put_invocation(JsonWriter& json, std::span<const Prediction> predictions) {
  json.key("invocations");
  json.open_array();
  json.open_object();
  json.field("executionSuccessful", true);
  json.key("toolExecutionNotifications");
  json.open_array();
  const auto notify = [&](std::string_view level, const std::string& text) {
    json.open_object();
    json.field("level", level);
    put_text(json, "message", text);
    json.close();
  };
  if (!predictions.empty()) {
    const Prediction& first = predictions.front();
    if (!first.complete) notify("warning", "The program was not followed to its end.");
    for (const analyze::Unknown& unknown : first.unknowns)
      notify("note", fmt::format("{} ({}:{}) is not known and decided which way to go; --assume may tell it.",
                                 unknown.what, unknown.source, unknown.line));
    for (const std::string& note : first.notes) notify("note", note);
  }
  json.close();
  json.close();
  json.close();
}

}  // namespace

std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : path) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || kPlain.find(c) != std::string_view::npos) uri += c;
    else uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

void write_sarif(Sink& out, std::span<const Prediction> predictions, std::string_view version,
                 std::string_view folder) {
  JsonWriter json(out);
  json.open_object();
  json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.field("version", "2.1.0");
  json.key("runs");
  json.open_array();
  json.open_object();
  json.key("tool");
  json.open_object();
  json.key("driver");
  json.open_object();
  json.field("name", "trikal predict");
  json.field("version", version);
  json.key("rules");
  json.open_array();
  for (const StaticRule* rule : analyze::static_rules()) put_rule(json, *rule);
  json.close();
  json.close();
  json.close();
  json.key("originalUriBaseIds");
  json.open_object();
  json.key(kRoot);
  json.open_object();
  put_text(json, "description", "The folder that trikal predict was started in.");
  json.close();
  json.close();
  put_invocation(json, predictions);
  json.field("columnKind", "utf16CodeUnits");
  json.key("results");
  json.open_array();
  for (const StaticFinding& finding : analyze::find_static(predictions)) put_result(json, finding, folder);
  json.close();
  json.close();
  json.close();
  json.close();
  out.put("\n");
}

}  // namespace trikal::report
