#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/rules/judge.hpp"
#include "report/graph/block_graph.hpp"

namespace trikal::report {

using analyze::BlockKind;
using analyze::Certainty;
using analyze::CodeBlock;

namespace {

std::string_view mark_of(Certainty certainty) {
  constexpr std::string_view kMarks[] = {"", "~", "?"};
  return kMarks[static_cast<std::size_t>(certainty)];
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool is_drawn(const CodeBlock& block) { return !block.io.empty() || block.idle; }

std::string block_label(const CodeBlock& block) {
  switch (block.kind) {
    case BlockKind::kProgram: return "program";
    case BlockKind::kFile: return block.name;
    case BlockKind::kClass: return fmt::format("class {}", block.name);
    case BlockKind::kFunction: return fmt::format("{}()", block.name);
    case BlockKind::kBranch: return fmt::format("branch {} {}", block.line, block.name);
    default: return fmt::format("{} {}", name_of(block.kind), block.line);
  }
}

std::string block_sums(const CodeBlock& block) {
  if (block.io.empty()) return "not reached";
  double count = 0, bytes = 0;
  Certainty worst = Certainty::kExact;
  for (const auto& [operation, use] : block.io) {
    count += use.count, bytes += use.bytes;
    worst = std::max(worst, use.certainty);
  }
  const std::int64_t operations = std::llround(count);
  return fmt::format("{}{} operation{}, {}", mark_of(worst), analyze::grouped(operations), operations == 1 ? "" : "s",
                     analyze::sized(bytes));
}

std::vector<std::string> leaf_lines(const analyze::Prediction& prediction, std::uint32_t block) {
  std::vector<std::string> lines;
  for (const analyze::PredictedAccess& access : prediction.accesses) {
    const analyze::PredictedSite& site = prediction.sites[access.site];
    if (site.block != block) continue;
    const analyze::PredictedUse& use = access.use;
    std::string text = fmt::format("{}{} x {}", mark_of(use.certainty), analyze::grouped(std::llround(use.count)),
                                   site.call.empty() ? name_of(access.operation) : std::string_view(site.call));
    if (use.bytes > 0)
      text += fmt::format(" {}, {} from {}", analyze::sized(use.bytes / use.count), analyze::pattern_of(use),
                          analyze::grouped(std::llround(use.first)));
    for (const std::string_view flag : analyze::names_of_flags(use.flags)) text += fmt::format(", {}", flag);
    lines.push_back(fmt::format("{}: {}", text, last_name(prediction.files[access.file].name)));
  }
  return lines;
}

}  // namespace trikal::report
