#include "log/read/name_region.hpp"

#include <gtest/gtest.h>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::bytes_of;
using Names = std::vector<std::pair<std::uint64_t, std::string>>;

struct Outcome {
  Names names;
  Error error;
};

Outcome read(const Buffer& plain, int minor = 41, bool foreign = false, const Limits& limits = {}) {
  const Header header{.minor = minor, .foreign = foreign};
  const auto source = from_memory(plain);
  ByteReader bytes(open_region(*source, {0, plain.size()}, Codec::kNone, {}));
  NameTable table;
  const Status status = read_names(bytes, header, limits, table);
  Outcome outcome{.names = {}, .error = status.error()};
  for (const auto& entry : table.entries()) outcome.names.emplace_back(entry.id, table.text(entry));
  return outcome;
}

const Names kSome = {{1, "/a"}, {2, ""}, {0xfedcba9876543210U, "/a/long name with spaces\n and a newline"}, {4, "/d"}};

struct RegionForm {
  int minor;
  bool foreign;
};
class NameForms : public ::testing::TestWithParam<RegionForm> {};
INSTANTIATE_TEST_SUITE_P(All, NameForms,
                         ::testing::Values(RegionForm{0, false}, RegionForm{0, true}, RegionForm{10, false},
                                           RegionForm{41, true}));

TEST_P(NameForms, RoundTrip) {
  const auto [minor, foreign] = GetParam();
  const Outcome outcome = read(testing::name_bytes(kSome, minor, foreign), minor, foreign);
  EXPECT_EQ(outcome.names, kSome);
  EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
}

// Cut at every byte: all names before the cut, and an error unless the cut is between two of them.
TEST_P(NameForms, CutAnywhere) {
  const auto [minor, foreign] = GetParam();
  const Buffer plain = testing::name_bytes(kSome, minor, foreign);
  for (std::size_t size = 0; size <= plain.size(); ++size) {
    std::size_t whole = 0;
    std::size_t end = 0;
    for (; whole < kSome.size(); ++whole) {
      const std::size_t next = end + 8 + kSome[whole].second.size() + (minor < 10 ? 4 : 1);
      if (next > size) break;
      end = next;
    }
    const Outcome outcome =
        read(Buffer(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(size)), minor, foreign);
    ASSERT_EQ(outcome.names, Names(kSome.begin(), kSome.begin() + static_cast<std::ptrdiff_t>(whole))) << size;
    ASSERT_EQ(outcome.error.code, size == end ? ErrorCode::kNone : ErrorCode::kDamaged) << size;
  }
}

TEST_P(NameForms, NamesAcrossBlocks) {
  const auto [minor, foreign] = GetParam();
  Names names;
  for (std::uint64_t i = 0; i < 40; ++i) names.emplace_back(i, std::string(Block::kCapacity / 16 + i * 977, 'n'));
  names.emplace_back(99, std::string(65536, 'l'));
  names.emplace_back(100, "last");
  EXPECT_EQ(read(testing::name_bytes(names, minor, foreign), minor, foreign).names, names);
}

TEST(NameRegion, DuplicatesAcrossRanks) {
  const Names list = {{5, ""}, {6, "/six"}, {5, "/five"}, {6, "/other"}, {5, "/late"}};
  EXPECT_EQ(read(testing::name_bytes(list)).names, (Names{{5, "/five"}, {6, "/six"}}));
}

TEST(NameRegion, ALengthThatLies) {
  for (const std::uint32_t length : {6U, 1U << 20, 1U << 24, 1U << 31, ~0U}) {
    testing::Packer packer;
    packer.u64(1).u32(2).text("ok").u64(2).u32(length).text("short");
    const Outcome outcome = read(packer.take(), 0);
    EXPECT_EQ(outcome.names, (Names{{1, "ok"}})) << length;
    EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged) << length;
  }
}

TEST(NameRegion, ANameWithoutEnd) {
  Buffer plain = testing::name_bytes(kSome);
  testing::append(plain, bytes_of("12345678" + std::string(20 << 20, 'n')));
  const Outcome outcome = read(plain);
  EXPECT_EQ(outcome.names, kSome);
  EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
}

TEST(NameRegion, ANameLongerThanAnyCanBe) {
  for (const int minor : {0, 41}) {
    const Names names = {{1, "/a"}, {2, std::string(65537, 'n')}, {3, "/c"}};
    const Outcome outcome = read(testing::name_bytes(names, minor), minor);
    EXPECT_EQ(outcome.names, (Names{{1, "/a"}}));
    EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
  }
}

TEST(NameRegion, ALongNameHitsTheLimit) {
  const Limits limits{.memory = 30000};
  const Outcome outcome = read(testing::name_bytes(Names{{1, std::string(40000, 'n')}}), 41, false, limits);
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimit);
  EXPECT_TRUE(outcome.names.empty());
}

TEST(NameRegion, ManyNamesHitTheLimitAndStay) {
  Names names;
  for (std::uint64_t i = 0; i < 20000; ++i) names.emplace_back(i, "/file/" + std::to_string(i));
  const Limits limits{.memory = 200000};
  const Outcome outcome = read(testing::name_bytes(names), 41, false, limits);
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimit);
  ASSERT_GT(outcome.names.size(), 500U);
  ASSERT_LT(outcome.names.size(), names.size());
  EXPECT_TRUE(std::equal(outcome.names.begin(), outcome.names.end(), names.begin()));
}

TEST(NameRegion, DamageBelowIsReportedAsItIs) {
  Buffer packed = testing::pack(testing::name_bytes(kSome), Codec::kZlib);
  packed.resize(packed.size() - 6);
  const auto source = from_memory(packed);
  for (const int minor : {0, 41}) {
    ByteReader bytes(open_region(*source, {0, packed.size()}, Codec::kZlib, {}));
    NameTable table;
    const Status status = read_names(bytes, Header{.minor = minor}, {}, table);
    ASSERT_FALSE(status);
    if (minor == 41) {
      EXPECT_EQ(status.error().code, ErrorCode::kTruncated);
    }
  }
}

}  // namespace
}  // namespace trikal::log
