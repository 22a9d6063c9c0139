#include "schema/chunk.hpp"

#include <gtest/gtest.h>

namespace trikal {
namespace {

constexpr CellType kTypes[] = {CellType::kText, CellType::kI64};

TEST(Chunk, RemembersWhichTextsAreMissing) {
  Chunk chunk;
  chunk.reset(kTypes, Chunk::Text::kUtf8);
  for (std::size_t i = 0; i < 40; ++i) {
    if (i == 11 || i == 16 || i == 39) chunk.add_missing(0);
    else chunk.add_text(0, i == 12 ? "" : std::to_string(i));
  }
  const ColumnData& column = chunk.columns()[0];
  EXPECT_EQ(column.missing, 3U);
  EXPECT_EQ(column.present.size(), 5U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(column.has(i), i != 11 && i != 16 && i != 39) << i;
    if (column.has(i)) {
      EXPECT_EQ(column.text_at(i), i == 12 ? "" : std::to_string(i));
    }
  }
}

TEST(Chunk, HasNoBitmapWhereNothingIsMissing) {
  Chunk chunk;
  chunk.reset(kTypes, Chunk::Text::kUtf8);
  chunk.add_text(0, "a");
  EXPECT_TRUE(chunk.columns()[0].present.empty());
  EXPECT_TRUE(chunk.columns()[0].has(0));
}

TEST(Chunk, ForgetsWhenItIsReset) {
  Chunk chunk;
  chunk.reset(kTypes, Chunk::Text::kUtf8);
  chunk.add_missing(0);
  chunk.add_word(1, 5);
  chunk.reset(kTypes, Chunk::Text::kUtf8);
  EXPECT_EQ(chunk.rows(), 0U);
  chunk.add_text(0, "b");
  chunk.add_word(1, 6);
  EXPECT_TRUE(chunk.columns()[0].has(0));
  EXPECT_EQ(chunk.columns()[0].text_at(0), "b");
  EXPECT_EQ(chunk.columns()[1].words, std::vector<std::uint64_t>{6});
  EXPECT_EQ(chunk.text_bytes(), 1U);
}

TEST(Chunk, CleansTextUnlessToldNotTo) {
  Chunk chunk;
  chunk.reset(kTypes, Chunk::Text::kUtf8);
  chunk.add_text(0, "\xff");
  EXPECT_EQ(chunk.columns()[0].text_at(0), "\xef\xbf\xbd");
  chunk.reset(kTypes, Chunk::Text::kRaw);
  chunk.add_text(0, "\xff");
  EXPECT_EQ(chunk.columns()[0].text_at(0), "\xff");
}

}  // namespace
}  // namespace trikal
