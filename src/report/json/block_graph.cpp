#include "report/graph/block_graph.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

using analyze::Prediction;

void put_sums(JsonWriter& json, const analyze::CodeBlock& block) {
  double operations = 0, read = 0, written = 0;
  for (const auto& [operation, use] : block.io) {
    operations += use.count;
    if (analyze::reads(operation)) read += use.bytes;
    if (analyze::writes(operation)) written += use.bytes;
  }
  json.field("operations", operations);
  json.field("bytes_read", read);
  json.field("bytes_written", written);
}

void put_leaf(JsonWriter& json, const Prediction& prediction, std::uint32_t block) {
  json.key("accesses");
  json.open_array();
  for (const analyze::PredictedAccess& access : prediction.accesses) {
    const analyze::PredictedSite& site = prediction.sites[access.site];
    if (site.block != block) continue;
    json.open_object();
    json.field("call", std::string_view(site.call));
    json.field("operation", name_of(access.operation));
    json.field("file", std::string_view(prediction.files[access.file].name));
    json.field("count", access.use.count);
    json.field("bytes", access.use.bytes);
    if (access.use.first >= 0) json.field("offset", access.use.first);
    json.field("pattern", analyze::pattern_of(access.use));
    json.key("flags");
    json.open_array();
    for (const std::string_view flag : analyze::names_of_flags(access.use.flags)) json.value(flag);
    json.close();
    json.field("certainty", name_of(access.use.certainty));
    json.close();
  }
  json.close();
}

void put_node(JsonWriter& json, const Prediction& prediction, std::uint32_t number) {
  const analyze::CodeBlock& block = prediction.blocks[number];
  json.line();
  json.open_object();
  json.field("block", static_cast<std::uint64_t>(number));
  json.field("kind", name_of(block.kind));
  json.field("name", std::string_view(block.name));
  json.field("source", std::string_view(block.source));
  json.field("line", static_cast<std::uint64_t>(block.line));
  json.field("reached", !block.idle);
  json.field("runs", block.runs);
  json.field("iterations", block.iterations);
  json.field("score", block.score);
  json.field("seconds_io", block.seconds_io);
  json.field("seconds_compute", block.seconds_compute);
  put_sums(json, block);
  if (block.kind == analyze::BlockKind::kLine) put_leaf(json, prediction, number);
  json.close();
}

void put_edge(JsonWriter& json, std::string_view kind, std::uint32_t from, std::uint32_t to) {
  json.line();
  json.open_object();
  json.field("kind", kind);
  json.field("from", static_cast<std::uint64_t>(from));
  json.field("to", static_cast<std::uint64_t>(to));
}

}  // namespace

void write_block_graph_json(Sink& out, const Prediction& prediction, std::string_view version) {
  JsonWriter json(out);
  const auto& blocks = prediction.blocks;
  json.open_object();
  json.field("schema", "trikal-blocks 1");
  json.field("version", version);
  json.field("program", std::string_view(prediction.program));
  json.field("rank", prediction.rank);
  json.key("nodes");
  json.open_array();
  for (std::uint32_t i = 0; i < blocks.size(); ++i)
    if (is_drawn(blocks[i]) || i == 0) put_node(json, prediction, i);
  json.close();
  json.key("edges");
  json.open_array();
  for (std::uint32_t i = 1; i < blocks.size(); ++i) {
    if (!is_drawn(blocks[i])) continue;
    put_edge(json, "child", blocks[i].parent, i);
    json.close();
  }
  for (const analyze::BlockEdge& edge : prediction.edges) {
    if (!is_drawn(blocks[edge.from]) || !is_drawn(blocks[edge.to])) continue;
    put_edge(json, name_of(edge.kind), edge.from, edge.to);
    if (edge.kind == analyze::EdgeKind::kCall) json.field("count", edge.count);
    else json.field("file", std::string_view(edge.file));
    json.close();
  }
  json.close();
  json.close();
  out.put("\n");
}

}  // namespace trikal::report
