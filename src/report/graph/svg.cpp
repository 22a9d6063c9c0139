// Left to right, one row for each line of the source; what encloses several stands in the middle of them.

#include <fmt/format.h>

#include <algorithm>

#include "report/graph/block_graph.hpp"
#include "report/html/page.hpp"

namespace trikal::report {
namespace {

constexpr double kColumn = 190, kRow = 14, kGap = 10, kPad = 8, kWide = 158, kCharacter = 5.8, kMargin = 16, kTop = 74;

struct Box {
  double x = 0, y = 0, wide = 0, high = 0;  // y: the middle
  std::vector<std::string> lines;
  bool drawn = false;
};

class Drawing {
 public:
  Drawing(Sink& out, const analyze::Prediction& prediction)
      : out_(out), prediction_(prediction), boxes_(prediction.blocks.size()), children_(boxes_.size()) {
    for (std::uint32_t i = 1; i < boxes_.size(); ++i)
      if (is_drawn(blocks()[i])) children_[blocks()[i].parent].push_back(i);
    for (auto& list : children_)
      std::ranges::stable_sort(list, {}, [&](std::uint32_t i) { return std::pair(blocks()[i].line, i); });
    lay_out(0, 0);
  }

  void write() {
    const double wide = right_ + 2 * kMargin, high = next_ + kMargin;
    out_.put(
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                    "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\" role=\"img\" "
                    "aria-label=\"code-block graph\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
                    wide, high));
    out_.put("<text x=\"16\" y=\"24\" font-size=\"14\" font-weight=\"bold\">Code blocks and the I/O in them</text>\n");
    out_.put(
        "<text x=\"16\" y=\"42\">Each block holds the sums of what is below it and of what it calls; the redder, the "
        "larger the share of its time that is I/O.</text>\n");
    out_.put(
        "<text x=\"16\" y=\"58\">Solid: part of. Dashed: calls. Dotted: touches the same file next. Grey: not "
        "reached with these arguments.</text>\n");
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
      if (boxes_[i].drawn && blocks()[i].parent != i) line(blocks()[i].parent, i);
    for (const analyze::BlockEdge& edge : prediction_.edges)
      if (boxes_[edge.from].drawn && boxes_[edge.to].drawn) arc(edge);
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
      if (boxes_[i].drawn) box(i);
    out_.put("</svg>\n");
  }

 private:
  [[nodiscard]] const std::vector<analyze::CodeBlock>& blocks() const { return prediction_.blocks; }

  void lay_out(std::uint32_t number, unsigned depth) {
    Box& one = boxes_[number];
    const analyze::CodeBlock& block = blocks()[number];
    one.drawn = true;
    one.lines = {
        block_label(block) + (block.iterations > 0 ? fmt::format(" ({:.6g} iterations)", block.iterations) : ""),
        block_sums(block)};
    for (std::string& line : leaf_lines(prediction_, number)) one.lines.push_back(std::move(line));
    for (const std::string& line : one.lines)
      one.wide = std::max({one.wide, kWide, 2 * kPad + kCharacter * static_cast<double>(line.size())});
    one.high = 2 * kPad + kRow * static_cast<double>(one.lines.size());
    one.x = kMargin + depth * kColumn;
    right_ = std::max(right_, one.x + one.wide);
    if (children_[number].empty()) {
      one.y = next_ + one.high / 2;
      next_ += one.high + kGap;
      return;
    }
    const double top = next_;
    for (const std::uint32_t child : children_[number]) lay_out(child, depth + 1);
    one.y = (boxes_[children_[number].front()].y + boxes_[children_[number].back()].y) / 2;
    one.y = std::max(one.y, top + one.high / 2);
    next_ = std::max(next_, one.y + one.high / 2 + kGap);
  }

  void line(std::uint32_t from, std::uint32_t to) {
    const Box &a = boxes_[from], &b = boxes_[to];
    const double x = a.x + a.wide, middle = (x + b.x) / 2;
    out_.put(
        fmt::format("<path d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\" fill=\"none\" "
                    "stroke=\"#565b63\"/>\n",
                    x, a.y, middle, a.y, middle, b.y, b.x, b.y));
  }
  // Calls leave a line at its right and come to a function from above; what touches a file next is below or above.
  void arc(const analyze::BlockEdge& edge) {
    const Box &a = boxes_[edge.from], &b = boxes_[edge.to];
    const bool call = edge.kind == analyze::EdgeKind::kCall;
    const double x1 = call ? a.x : a.x + a.wide, x2 = call ? b.x : b.x + b.wide;
    const double out = call ? std::min(x1, x2) - 24 : std::max(x1, x2) + 24;
    out_.put(
        fmt::format("<path d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\" fill=\"none\" "
                    "stroke=\"{}\" stroke-dasharray=\"{}\"><title>",
                    x1, a.y, out, a.y, out, b.y, x2, b.y, call ? "#0b5cad" : "#8a5300", call ? "6 3" : "2 3"));
    put_escaped(out_, call
                          ? fmt::format("{} calls {}", block_label(blocks()[edge.from]), block_label(blocks()[edge.to]))
                          : edge.file);
    out_.put("</title></path>\n");
  }
  void box(std::uint32_t number) {
    const Box& one = boxes_[number];
    const analyze::CodeBlock& block = blocks()[number];
    const int pale = 255 - static_cast<int>(115 * std::clamp(block.score, 0.0, 1.0));
    out_.put(
        fmt::format("<g id=\"block{}\"><rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"4\" "
                    "fill=\"#{:02x}{:02x}{:02x}\" stroke=\"#1c1e21\"{}/>\n",
                    number, one.x, one.y - one.high / 2, one.wide, one.high, block.idle ? 236 : 255,
                    block.idle ? 236 : pale, block.idle ? 236 : pale, block.idle ? " stroke-dasharray=\"4 3\"" : ""));
    double y = one.y - one.high / 2 + kPad + 10;
    for (std::size_t i = 0; i < one.lines.size(); ++i, y += kRow) {
      out_.put(
          fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\"{}>", one.x + kPad, y, i == 0 ? " font-weight=\"bold\"" : ""));
      put_escaped(out_, one.lines[i]);
      out_.put("</text>\n");
    }
    out_.put("</g>\n");
  }

  Sink& out_;
  const analyze::Prediction& prediction_;
  std::vector<Box> boxes_;
  std::vector<std::vector<std::uint32_t>> children_;
  double next_ = kTop, right_ = 560;  // the sentences above
};

}  // namespace

void write_block_graph_svg(Sink& out, const analyze::Prediction& prediction) { Drawing(out, prediction).write(); }

}  // namespace trikal::report
