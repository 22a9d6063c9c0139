#include "report/graph/block_graph.hpp"

#include <gtest/gtest.h>

#include "report/sarif/sarif.hpp"

namespace trikal::report {
namespace {

using analyze::BlockKind;

// A loop with two sides, of which the second is not reached.
analyze::Prediction sample() {
  analyze::Prediction one;
  one.program = "a.c";
  one.blocks.push_back({BlockKind::kProgram, 0, "program"});
  one.blocks.push_back({BlockKind::kLoop, 0, "", "a.c", 3});
  one.blocks.push_back({BlockKind::kBranch, 1, "then", "a.c", 4});
  one.blocks.push_back({BlockKind::kLine, 2, "", "a.c", 5});
  one.blocks.push_back({BlockKind::kBranch, 1, "else", "a.c", 4});
  one.blocks.push_back({BlockKind::kLine, 4, "", "a.c", 7});
  one.blocks.push_back({BlockKind::kLine, 0, "", "a.c", 9});  // computes
  one.blocks[1].iterations = 2000;
  one.files.push_back({"/tmp/<out>&\"", 0, false});
  one.sites.push_back({"a.c", 5, 7, "save", 3, "write"});
  analyze::PredictedAccess access{0, 0, analyze::Operation::kWrite, {}};
  access.use.add(2000, 64, analyze::Certainty::kExtrapolated);
  access.use.first = 1024, access.use.consecutive = access.use.sequential = 1999;
  one.accesses.push_back(access);
  for (const std::size_t block : {0, 1, 2, 3}) one.blocks[block].io.emplace_back(access.operation, access.use);
  for (const std::size_t block : {4, 5}) one.blocks[block].idle = true;
  return one;
}

template <class Write>
std::string written(Write write) {
  StringSink out;
  write(out);
  return std::string(out.text());
}

TEST(BlockGraph, LeavesSayWhatTheyDo) {
  const auto one = sample();
  ASSERT_EQ(leaf_lines(one, 3).size(), 1U);
  EXPECT_EQ(leaf_lines(one, 3)[0], "~2,000 x write 64 B, consecutive from 1,024: <out>&\"");
  EXPECT_TRUE(leaf_lines(one, 5).empty());
  EXPECT_EQ(block_label(one.blocks[4]), "branch 4 else");
  EXPECT_EQ(block_sums(one.blocks[4]), "not reached");
  EXPECT_EQ(block_sums(one.blocks[1]), "~2,000 operations, 125 KiB");
}

TEST(BlockGraph, EveryFormDrawsTheSameBlocks) {
  const auto one = sample();
  const std::string dot = written([&](Sink& out) { write_block_graph_dot(out, one); });
  const std::string svg = written([&](Sink& out) { write_block_graph_svg(out, one); });
  const std::string json = written([&](Sink& out) { write_block_graph_json(out, one, "1"); });
  for (int i = 0; i < 7; ++i) {
    const bool drawn = i != 6;
    EXPECT_EQ(dot.find("  b" + std::to_string(i) + " [label") != std::string::npos, drawn) << i;
    EXPECT_EQ(svg.find("id=\"block" + std::to_string(i) + "\"") != std::string::npos, drawn) << i;
    EXPECT_EQ(json.find("\"block\":" + std::to_string(i) + ",") != std::string::npos, drawn) << i;
  }
}

TEST(BlockGraph, NamesCannotBreakTheForm) {
  const auto one = sample();
  const std::string svg = written([&](Sink& out) { write_block_graph_svg(out, one); });
  EXPECT_EQ(svg.find("<out>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;out&gt;&amp;&quot;"), std::string::npos);
  const std::string dot = written([&](Sink& out) { write_block_graph_dot(out, one); });
  EXPECT_NE(dot.find("<out>&\\\""), std::string::npos);
}

TEST(BlockGraph, APredictionWithoutBlocksIsAGraphWithoutThem) {
  analyze::Prediction none;
  none.blocks.push_back({BlockKind::kProgram, 0, "program"});
  EXPECT_NE(written([&](Sink& out) { write_block_graph_svg(out, none); }).find("</svg>"), std::string::npos);
}

TEST(Sarif, PathsBecomeUris) {
  EXPECT_EQ(uri_of("a b/c%d.c"), "a%20b/c%25d.c");
  EXPECT_EQ(uri_of("/x/\xc3\xa4.c"), "/x/%C3%A4.c");
}

TEST(Sarif, SourcesAreNamedFromTheFolderOn) {
  auto one = sample();
  one.sites[0].source = "/home/src/a.c";
  const auto text = [&](std::string_view folder) {
    return written([&](Sink& out) { write_sarif(out, std::span(&one, 1), "1", folder); });
  };
  EXPECT_NE(text("/home").find(R"("uri":"src/a.c","uriBaseId":"SRCROOT")"), std::string::npos) << text("/home");
  EXPECT_NE(text("/hom").find(R"("uri":"file:///home/src/a.c")"), std::string::npos);
  EXPECT_EQ(text("/home"), text("/home"));
}

}  // namespace
}  // namespace trikal::report
