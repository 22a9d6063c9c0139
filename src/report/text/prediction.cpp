#include "report/text/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/dataset/static_findings.hpp"
#include "analyze/rules/judge.hpp"
#include "report/graph/block_graph.hpp"
#include "report/text/sureness.hpp"

namespace trikal::report {
namespace {

using analyze::Certainty;
using analyze::CodeBlock;
using analyze::Prediction;

std::string_view mark_of(Certainty certainty) {
  constexpr std::string_view kMarks[] = {"", "~", "?"};
  return kMarks[static_cast<std::size_t>(certainty)];
}

class Tree {
 public:
  Tree(Sink& out, const Prediction& prediction) : out_(out), blocks_(prediction.blocks), children_(blocks_.size()) {
    for (std::uint32_t i = 1; i < blocks_.size(); ++i)
      if (!blocks_[i].io.empty()) children_[blocks_[i].parent].push_back(i);
    for (auto& list : children_) std::ranges::sort(list, {}, [&](std::uint32_t i) { return blocks_[i].line; });
  }
  void write(std::uint32_t block = 0, std::size_t depth = 0) {
    const CodeBlock& one = blocks_[block];
    out_.put(fmt::format("{:>5.2f}  {:{}}{:<{}}  {}{}\n", one.score, "", 2 * depth, block_label(one),
                         34 - std::min<std::size_t>(30, 2 * depth), block_sums(one),
                         depth == 0 ? fmt::format("; {}", analyze::intensity_of(one.score)) : ""));
    for (const std::uint32_t child : children_[block]) write(child, depth + 1);
  }

 private:
  Sink& out_;
  const std::vector<CodeBlock>& blocks_;
  std::vector<std::vector<std::uint32_t>> children_;
};

// What an assumption makes as good as impossible is no line of the table.
bool is_likely(const analyze::PredictedAccess& access) {
  return access.use.certainty != Certainty::kAssumed || std::llround(access.use.count) > 0;
}

void write_accesses(Sink& out, const Prediction& prediction) {
  out.put("\nwhere                          what                 how often           bytes  file\n");
  std::vector<const analyze::PredictedAccess*> rows;
  for (const auto& access : prediction.accesses)
    if (is_likely(access)) rows.push_back(&access);
  std::ranges::stable_sort(rows, {}, [&](const auto* row) {
    return std::pair(prediction.sites[row->site].source, prediction.sites[row->site].line);
  });
  for (const auto* row : rows) {
    const auto& site = prediction.sites[row->site];
    const auto& file = prediction.files[row->file];
    const std::string where = fmt::format("{}:{}", site.source.substr(site.source.rfind('/') + 1), site.line);
    const std::string more =
        file.like_it > 0 ? fmt::format(" and {} like it", analyze::grouped(std::llround(file.like_it))) : "";
    out.put(
        fmt::format("{:<30} {:<20} {:>9} {:>15}  {}{}\n", where, name_of(row->operation),
                    fmt::format("{}{}", mark_of(row->use.certainty), analyze::grouped(std::llround(row->use.count))),
                    row->use.bytes > 0 ? analyze::grouped(std::llround(row->use.bytes)) : "", file.name, more));
    if (row->use.certainty == Certainty::kAssumed && !row->because.empty())
      out.put(fmt::format("{:<30} ? because of {}\n", "", row->because));
  }
  const std::size_t unlikely = prediction.accesses.size() - rows.size();
  if (unlikely > 0)
    out.put(fmt::format("and {} that {} hardly ever done\n", analyze::grouped(static_cast<std::int64_t>(unlikely)),
                        unlikely == 1 ? "is" : "are"));
}

// Only what functions return can be assumed otherwise.
std::string can_be_told(const analyze::Unknown& unknown) {
  constexpr std::string_view kResult = "the result of ";
  if (!unknown.what.starts_with(kResult)) return "";
  return fmt::format("; --assume {}=NUMBER tells it", unknown.what.substr(kResult.size()));
}

std::string files_of(const analyze::StaticFinding& one) {
  return one.files > 1 ? fmt::format("{} and {} more", one.file, analyze::grouped(std::llround(one.files - 1)))
                       : one.file;
}

void write_findings(Sink& out, const Prediction& prediction) {
  constexpr std::size_t kMost = 10;
  const std::vector<analyze::StaticFinding> found = analyze::find_static(prediction, prediction.costs);
  if (!found.empty()) out.put("\nwhat to change, by the seconds it would save (" + prediction.basis + ")\n");
  for (std::size_t i = 0; i < found.size() && i < kMost; ++i) {
    const analyze::StaticFinding& one = found[i];
    out.put(fmt::format("{:>10}  {:<20} {}:{}, {} times: {}\n{:12}{}\n", analyze::timed(one.seconds), one.code(),
                        one.source.substr(one.source.rfind('/') + 1), one.line,
                        analyze::grouped(std::llround(one.times)), files_of(one), "", one.rule->fix));
  }
}

}  // namespace

void write_prediction(Sink& out, const Prediction& prediction) {
  out.put(fmt::format("{}{}: rank {} of {}, predicted in {:.2f} s without running it\n", prediction.program,
                      prediction.complete ? "" : " (not to its end)", prediction.rank, prediction.ranks,
                      prediction.seconds));
  out.put(fmt::format("score: I/O time over all time by model {}, {}\n", prediction.model, prediction.basis));
  for (const std::string& line : sureness_lines(analyze::sureness_of(prediction))) out.put(line + "\n");
  out.put("~ extrapolated from a pattern, ? assumed\n\n");
  if (prediction.blocks.empty() || prediction.blocks[0].io.empty()) {
    out.put("no I/O was found on the way through the program\n");
  } else {
    Tree(out, prediction).write();
    write_accesses(out, prediction);
    write_findings(out, prediction);
  }
  for (const auto& unknown : prediction.unknowns)
    out.put(fmt::format("\nunknown: {} ({}:{}) decided {} times which way to go{}", unknown.what,
                        unknown.source.substr(unknown.source.rfind('/') + 1), unknown.line,
                        analyze::grouped(std::llround(unknown.forks)), can_be_told(unknown)));
  for (const std::string& note : prediction.notes) out.put("\nnote: " + note);
  if (!prediction.unknowns.empty() || !prediction.notes.empty()) out.put("\n");
}

}  // namespace trikal::report
