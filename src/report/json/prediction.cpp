#include "report/json/prediction.hpp"

#include "analyze/dataset/static_findings.hpp"
#include "report/html/page.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

using analyze::Prediction;

void put_use(JsonWriter& json, analyze::Operation operation, const analyze::PredictedUse& use) {
  json.field("operation", name_of(operation));
  json.field("count", use.count);
  json.field("bytes", use.bytes);
  json.field("bytes_known", !use.size_unknown);
  json.field("certainty", name_of(use.certainty));
}

void put_blocks(JsonWriter& json, const Prediction& prediction) {
  json.key("blocks");
  json.open_array();
  for (std::size_t i = 0; i < prediction.blocks.size(); ++i) {
    const analyze::CodeBlock& block = prediction.blocks[i];
    json.line();
    json.open_object();
    json.field("block", static_cast<std::uint64_t>(i));
    json.field("parent", static_cast<std::uint64_t>(block.parent));
    json.field("kind", name_of(block.kind));
    json.field("name", std::string_view(block.name));
    json.field("source", std::string_view(block.source));
    json.field("line", static_cast<std::uint64_t>(block.line));
    json.field("score", block.score);
    json.field("seconds_io", block.seconds_io);
    json.field("seconds_compute", block.seconds_compute);
    json.field("class", analyze::intensity_of(block.score));
    json.field("instructions", block.instructions);
    json.field("runs", block.runs);
    json.field("iterations", block.iterations);
    json.field("reached", !block.idle);
    json.key("parameters");
    json.open_array();
    for (const double one : block.parameters) json.value(one);
    json.close();
    json.key("variables");
    json.open_array();
    for (const double one : block.variables) json.value(one);
    json.close();
    json.key("io");
    json.open_array();
    for (const auto& [operation, use] : block.io) {
      json.open_object();
      put_use(json, operation, use);
      json.close();
    }
    json.close();
    json.close();
  }
  json.close();
}

void put_accesses(JsonWriter& json, const Prediction& prediction) {
  json.key("accesses");
  json.open_array();
  for (const auto& access : prediction.accesses) {
    const auto& site = prediction.sites[access.site];
    json.line();
    json.open_object();
    json.field("source", std::string_view(site.source));
    json.field("line", static_cast<std::uint64_t>(site.line));
    json.field("column", static_cast<std::uint64_t>(site.column));
    json.field("function", std::string_view(site.function));
    json.field("block", static_cast<std::uint64_t>(site.block));
    json.field("file", std::string_view(prediction.files[access.file].name));
    json.field("files_like_it", prediction.files[access.file].like_it);
    json.field("call", std::string_view(site.call));
    put_use(json, access.operation, access.use);
    json.field("offset", access.use.first);
    json.field("pattern", analyze::pattern_of(access.use));
    json.key("flags");
    json.open_array();
    for (const std::string_view flag : analyze::names_of_flags(access.use.flags)) json.value(flag);
    json.close();
    json.close();
  }
  json.close();
}

void put_findings(JsonWriter& json, const Prediction& prediction) {
  json.key("findings");
  json.open_array();
  for (const analyze::StaticFinding& one : analyze::find_static(prediction, prediction.costs)) {
    json.line();
    json.open_object();
    json.field("code", one.code());
    json.field("title", one.rule->title);
    json.field("source", std::string_view(one.source));
    json.field("line", static_cast<std::uint64_t>(one.line));
    json.field("column", static_cast<std::uint64_t>(one.column));
    json.field("function", std::string_view(one.function));
    json.field("block", static_cast<std::uint64_t>(one.block));
    json.field("file", std::string_view(one.file));
    json.field("files", one.files);
    json.field("times", one.times);
    json.field("seconds", one.seconds);
    json.field("certainty", name_of(one.certainty));
    json.field("fix", one.rule->fix);
    json.field("why", one.rule->why);
    json.close();
  }
  json.close();
}

void put_unknowns(JsonWriter& json, const Prediction& prediction) {
  json.key("unknowns");
  json.open_array();
  for (const auto& unknown : prediction.unknowns) {
    json.open_object();
    json.field("what", std::string_view(unknown.what));
    json.field("source", std::string_view(unknown.source));
    json.field("line", static_cast<std::uint64_t>(unknown.line));
    json.field("decided", unknown.forks);
    json.close();
  }
  json.close();
  json.key("notes");
  json.open_array();
  for (const std::string& note : prediction.notes) json.value(std::string_view(note));
  json.close();
}

void put_edges(JsonWriter& json, const Prediction& prediction) {
  json.key("edges");
  json.open_array();
  for (const analyze::BlockEdge& edge : prediction.edges) {
    json.line();
    json.open_object();
    json.field("kind", name_of(edge.kind));
    json.field("from", static_cast<std::uint64_t>(edge.from));
    json.field("to", static_cast<std::uint64_t>(edge.to));
    json.field("count", edge.count);
    json.field("file", std::string_view(edge.file));
    json.close();
  }
  json.close();
}

void put_predictions(JsonWriter& json, std::span<const Prediction> predictions) {
  json.key("predictions");
  json.open_array();
  for (const Prediction& one : predictions) {
    json.line();
    json.open_object();
    json.field("program", std::string_view(one.program));
    json.field("rank", one.rank);
    json.field("ranks", one.ranks);
    json.field("complete", one.complete);
    json.field("model", std::string_view(one.model));
    json.field("basis", std::string_view(one.basis));
    json.field("exit_code", one.exit_code);
    json.field("steps", one.steps);
    json.field("skipped_iterations", one.skipped_iterations);
    json.field("seconds", one.seconds);
    put_accesses(json, one);
    put_findings(json, one);
    put_blocks(json, one);
    put_edges(json, one);
    put_unknowns(json, one);
    json.close();
  }
  json.close();
}

}  // namespace

void write_predictions_json(Sink& out, std::span<const Prediction> predictions, std::string_view version) {
  JsonWriter json(out);
  json.open_object();
  json.field("schema", "trikal-prediction 1");
  json.field("version", version);
  put_predictions(json, predictions);
  json.close();
  out.put("\n");
}

void write_prediction_page(Sink& out, std::span<const Prediction> predictions, std::string_view version,
                           std::span<const SourceText> sources) {
  StringSink data;
  JsonWriter json(data);
  json.open_object();
  json.field("schema", "trikal-prediction-page 1");
  json.field("version", version);
  put_predictions(json, predictions);
  json.key("sources");
  json.open_array();
  for (const SourceText& source : sources) {
    json.open_object();
    json.field("path", std::string_view(source.path));
    json.field("text", std::string_view(source.text));
    json.close();
  }
  json.close();
  json.close();
  const std::string program = predictions.empty() ? "" : predictions.front().program;
  write_page_head(out, "trikal predict " + program.substr(program.rfind('/') + 1));
  put_page_data(out, data.text());
  write_page_tail(out);
}

}  // namespace trikal::report
