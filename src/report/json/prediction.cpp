#include "report/json/prediction.hpp"

#include "analyze/dataset/static_findings.hpp"
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
    json.field("instructions", block.instructions);
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
    put_use(json, access.operation, access.use);
    json.close();
  }
  json.close();
}

void put_findings(JsonWriter& json, const Prediction& prediction) {
  json.key("findings");
  json.open_array();
  for (const analyze::StaticFinding& one : analyze::find_static(prediction)) {
    json.line();
    json.open_object();
    json.field("code", one.code);
    json.field("source", std::string_view(one.source));
    json.field("line", static_cast<std::uint64_t>(one.line));
    json.field("block", static_cast<std::uint64_t>(one.block));
    json.field("file", std::string_view(one.file));
    json.field("times", one.times);
    json.field("seconds", one.seconds);
    json.field("fix", one.fix);
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

}  // namespace

void write_predictions_json(Sink& out, std::span<const Prediction> predictions, std::string_view version) {
  JsonWriter json(out);
  json.open_object();
  json.field("schema", "trikal-prediction 1");
  json.field("version", version);
  json.key("predictions");
  json.open_array();
  for (const Prediction& one : predictions) {
    json.line();
    json.open_object();
    json.field("program", std::string_view(one.program));
    json.field("rank", one.rank);
    json.field("ranks", one.ranks);
    json.field("complete", one.complete);
    json.field("exit_code", one.exit_code);
    json.field("steps", one.steps);
    json.field("skipped_turns", one.skipped_turns);
    json.field("seconds", one.seconds);
    put_accesses(json, one);
    put_findings(json, one);
    put_blocks(json, one);
    put_unknowns(json, one);
    json.close();
  }
  json.close();
  json.close();
  out.put("\n");
}

}  // namespace trikal::report
