#include "predict/world/netcdf_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace trikal::predict {
namespace {

constexpr Word kBlock = 8192;

// What is done to a file of some size: s(eek), r(ead) and w(rite) with offset and bytes.
class Told final : public NetCdfPort {
 public:
  explicit Told(Word size = 0) : size_(size) {}
  void seek() override { said_ += "s "; }
  Word read(Word offset, Word bytes) override {
    const Word got = offset >= size_ ? 0 : std::min(bytes, size_ - offset);
    said_ += "r" + std::to_string(offset) + "+" + std::to_string(got) + " ";
    return got;
  }
  void write(Word offset, Word bytes) override {
    said_ += "w" + std::to_string(offset) + "+" + std::to_string(bytes) + " ";
    size_ = std::max(size_, offset + bytes);
  }
  void looked(Word /*a*/, Word /*b*/) override {}
  void looked_same(Word /*a*/, Word /*b*/) override {}

  std::string said() { return std::exchange(said_, ""); }
  [[nodiscard]] Word size() const { return size_; }

 private:
  Word size_;
  std::string said_;
};

// A header of 184 bytes, a variable of 20 x 101 doubles, records of 20 x 101 floats. What is expected is what strace showed
// of NetCDF 4.9.0.
TEST(NetCdfBuffer, WritesWhatNetCdfWrites) {
  Told told(32);
  NetCdfBuffer buffer(kBlock, true, false);
  buffer.take(told, 0, 32, true);
  EXPECT_EQ(told.said(), "");
  buffer.take(told, 0, 184, true);
  buffer.take_all(told, 184, 16160, true);
  buffer.flush(told);
  EXPECT_EQ(told.said(), "w0+16344 ");
  buffer.take_all(told, 184, 16160, true);
  EXPECT_EQ(told.said(), "");
  buffer.take_all(told, 16344, 8080, true);
  EXPECT_EQ(told.said(), "s w0+8192 s s r16384+0 ");
  for (Word record = 1; record < 4; ++record) buffer.take_all(told, 16344 + 8080 * record, 8080, true);
  EXPECT_EQ(told.said(), "s w8192+8192 s s r24576+0 s w16384+8192 s s r32768+0 s w24576+8192 s s r40960+0 ");
  buffer.take(told, 4, 4, true);
  buffer.flush(told);
  EXPECT_EQ(told.said(), "s w32768+15896 s s r0+8192 s w0+8192 ");
  buffer.take_all(told, 184, 16160, false);
  EXPECT_EQ(told.said(), "s r8192+8192 ");
  buffer.flush(told);
  buffer.flush(told);
  EXPECT_EQ(told.said(), "");
  EXPECT_EQ(told.size(), 48664U);
}

TEST(NetCdfBuffer, ReadsWhatNetCdfReads) {
  Told told(48664);
  NetCdfBuffer buffer(kBlock, false, false);
  buffer.take(told, 0, 4096, false);
  EXPECT_EQ(told.said(), "s r0+8192 ");
  buffer.take_all(told, 184, 16160, false);
  EXPECT_EQ(told.said(), "s r8192+8192 ");
  buffer.take_all(told, 16344 + 2 * 8080, 8080, false);
  EXPECT_EQ(told.said(), "s s r24576+16384 ");
}

TEST(NetCdfBuffer, DataMovesBehindALongerHeader) {
  Told told(48664);
  NetCdfBuffer buffer(kBlock, false, false);
  buffer.take(told, 0, 4096, false);
  (void)told.said();
  for (Word record = 4; record-- > 0;) buffer.move(told, 16372 + 8080 * record, 16344 + 8080 * record, 8080);
  buffer.move(told, 212, 184, 16160);
  buffer.take(told, 0, 212, true);
  buffer.flush(told);
  EXPECT_EQ(told.said(),
            "s s r32768+15896 s w40960+7732 s s r24576+8192 w32768+8192 s s r16384+8192 w24576+8192 s s r8192+8192 "
            "w16384+8192 s s r0+8192 s w0+16384 ");
  EXPECT_EQ(told.size(), 48692U);
}

TEST(NetCdfBuffer, ASharedFileIsNotBuffered) {
  Told told;
  NetCdfBuffer buffer(kBlock, true, true);
  buffer.take(told, 0, 32, true);
  EXPECT_EQ(told.said(), "s r0+0 w0+32 ");
  buffer.take(told, 8, 4, false);
  buffer.flush(told);
  EXPECT_EQ(told.said(), "s s r8+4 ");
}

// However it is used, each byte that was written is in the file after a flush, and nothing behind it.
TEST(NetCdfBuffer, NothingIsLostAndNothingAdded) {
  Word random = 12345;
  const auto next = [&](Word below) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (random >> 33) % below;
  };
  for (int file = 0; file < 50; ++file) {
    Told told;
    NetCdfBuffer buffer(64, true, false);
    Word end = 0;
    for (int i = 0; i < 200; ++i) {
      const Word offset = next(end + 100), bytes = 1 + next(64);
      buffer.take(told, offset, bytes, true);
      end = std::max(end, offset + bytes);
      if (next(20) == 0) buffer.flush(told);
    }
    buffer.flush(told);
    EXPECT_EQ(told.size(), end) << file;
  }
}

TEST(NetCdfBuffer, ItsNumbersGrowAsTold) {
  Told told(1 << 20);
  NetCdfBuffer buffer(kBlock, false, false);
  std::vector<Word> first, second, third;
  buffer.take(told, 0, kBlock, false);
  buffer.numbers(first);
  buffer.take(told, kBlock, kBlock, false);
  buffer.numbers(second);
  std::vector<Word> steps;
  for (std::size_t i = 0; i < first.size(); ++i) steps.push_back(second[i] - first[i]);
  EXPECT_EQ(buffer.step(steps, 0, 3), first.size());
  buffer.numbers(third);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(third[i], second[i] + 3 * steps[i]);
  (void)told.said();
  buffer.take(told, 5 * kBlock, kBlock, false);
  EXPECT_EQ(told.said(), "s r40960+8192 ");
}

}  // namespace
}  // namespace trikal::predict
