#include "log/read/byte_reader.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::text_of;

// Blocks as a test wants them, then an end or an error.
class ScriptedStream final : public BlockStream {
 public:
  ScriptedStream(std::deque<std::string> blocks, Status end) : blocks_(std::move(blocks)), end_(end) {}

  Result<bool> next(Block& block) override {
    if (blocks_.empty()) {
      block.size = 77;  // what a failing stream leaves there must not be used
      if (!end_) return end_.error();
      return false;
    }
    block.allocate();
    std::memcpy(block.data(), blocks_.front().data(), blocks_.front().size());
    block.size = blocks_.front().size();
    block.file_offset = 100 + 10 * given_++;
    blocks_.pop_front();
    return true;
  }

 private:
  std::deque<std::string> blocks_;
  Status end_;
  std::uint64_t given_ = 0;
};

constexpr Error kBroken{.code = ErrorCode::kDamaged, .offset = 5, .what = "broken"};

ByteReader reader_of(std::deque<std::string> blocks, Status end = {}) {
  return ByteReader(std::make_unique<ScriptedStream>(std::move(blocks), end));
}

std::string read(ByteReader& reader, std::size_t size) {
  testing::Buffer out(size);
  auto got = reader.read(out);
  EXPECT_TRUE(got);
  return got ? text_of(Bytes{out}.first(*got)) : "error";
}

TEST(ByteReader, ReadsAcrossBlocks) {
  ByteReader reader = reader_of({"abc", "d", "efgh"});
  EXPECT_EQ(read(reader, 2), "ab");
  EXPECT_EQ(read(reader, 5), "cdefg");
  EXPECT_EQ(read(reader, 5), "h");
  EXPECT_EQ(read(reader, 5), "");
  EXPECT_TRUE(reader.why_short());
}

TEST(ByteReader, NothingAskedNothingRead) {
  ByteReader reader = reader_of({}, kBroken);
  EXPECT_EQ(read(reader, 0), "");
}

TEST(ByteReader, PeekAndSkip) {
  ByteReader reader = reader_of({"abc", "def"});
  EXPECT_EQ(text_of(*reader.peek()), "abc");
  reader.skip(1);
  EXPECT_EQ(text_of(*reader.peek()), "bc");
  reader.skip(2);
  EXPECT_EQ(reader.file_offset(), 100U);
  EXPECT_EQ(text_of(*reader.peek()), "def");
  EXPECT_EQ(reader.file_offset(), 110U);
  reader.skip(3);
  EXPECT_TRUE(reader.peek()->empty());
  EXPECT_TRUE(reader.peek()->empty());
}

TEST(ByteReader, BytesBeforeDamageComeFirst) {
  ByteReader reader = reader_of({"abc"}, kBroken);
  EXPECT_EQ(read(reader, 10), "abc");
  EXPECT_EQ(reader.why_short().error().code, ErrorCode::kDamaged);
  testing::Buffer out(1);
  auto got = reader.read(out);
  ASSERT_FALSE(got);
  EXPECT_STREQ(got.error().what, "broken");
  EXPECT_FALSE(reader.peek());
}

}  // namespace
}  // namespace trikal::log
