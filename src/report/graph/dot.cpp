#include <fmt/format.h>

#include "report/graph/block_graph.hpp"

namespace trikal::report {
namespace {

std::string dot_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return safe;
}

}  // namespace

void write_block_graph_dot(Sink& out, const analyze::Prediction& prediction) {
  out.put("digraph blocks {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n");
  const auto& blocks = prediction.blocks;
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const analyze::CodeBlock& block = blocks[i];
    if (!is_drawn(block)) continue;
    std::string label = fmt::format("{}\\n{}", dot_text(block_label(block)), dot_text(block_sums(block)));
    if (!block.io.empty()) label += fmt::format("\\nscore {:.2f}", block.score);
    if (block.iterations > 0) label += fmt::format("\\n{:.6g} iterations", block.iterations);
    for (const std::string& line : leaf_lines(prediction, i)) label += "\\n" + dot_text(line);
    // From white to red, by hue, saturation and value.
    out.put(fmt::format("  b{} [label=\"{}\", fillcolor=\"0.000 {:.3f} 1.000\"{}];\n", i, label, 0.6 * block.score,
                        block.io.empty() ? ", style=dashed" : ""));
    if (block.parent != i) out.put(fmt::format("  b{} -> b{};\n", block.parent, i));
  }
  for (const analyze::BlockEdge& edge : prediction.edges) {
    if (!is_drawn(blocks[edge.from]) || !is_drawn(blocks[edge.to])) continue;
    if (edge.kind == analyze::EdgeKind::kCall)
      out.put(fmt::format("  b{} -> b{} [style=dashed, constraint=false, label=\"calls\"];\n", edge.from, edge.to));
    else
      out.put(fmt::format("  b{} -> b{} [style=dotted, constraint=false, label=\"{}\"];\n", edge.from, edge.to,
                          dot_text(edge.file.substr(edge.file.rfind('/') + 1))));
  }
  out.put("}\n");
}

}  // namespace trikal::report
