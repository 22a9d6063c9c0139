#pragma once
// The code-block graph of a prediction: for Graphviz, as a picture that needs nothing, and as JSON for programs.

#include <string>
#include <string_view>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_block_graph_dot(Sink& out, const analyze::Prediction& prediction);
void write_block_graph_svg(Sink& out, const analyze::Prediction& prediction);
void write_block_graph_json(Sink& out, const analyze::Prediction& prediction, std::string_view version);

// For all of them: what is drawn, and in which words.
[[nodiscard]] bool is_drawn(const analyze::CodeBlock& block);  // does I/O, or would with other arguments
[[nodiscard]] std::string block_label(const analyze::CodeBlock& block);
[[nodiscard]] std::string block_sums(const analyze::CodeBlock& block);  // "11 operations, 500 MB"
// What a line does: one text for each call, file and operation; empty for other blocks.
[[nodiscard]] std::vector<std::string> leaf_lines(const analyze::Prediction& prediction, std::uint32_t block);

}  // namespace trikal::report
