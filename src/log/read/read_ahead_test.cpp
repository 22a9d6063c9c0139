#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "log/read/drain_test.hpp"
#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::bytes_of;
using testing::pack;
using testing::text_of;

std::string long_text(std::size_t blocks) {
  std::string text(blocks * Block::kCapacity + 11, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 4099);
  return text;
}

class ReadAheadOf : public ::testing::TestWithParam<std::size_t> {
 protected:
  ReadAheadOf() : packed_(pack(bytes_of(long_text(GetParam())), Codec::kZlib)) {}
  std::unique_ptr<BlockStream> open(const Source& source, const Limits& limits = {}) const {
    return open_region(source, {0, source.size()}, Codec::kZlib, limits, 4096);
  }
  Buffer packed_;
};
// Fewer blocks than the ring holds, as many, and more.
INSTANTIATE_TEST_SUITE_P(Blocks, ReadAheadOf, ::testing::Values(0, 1, 5, 6, 7, 20));

TEST_P(ReadAheadOf, SameAsDirect) {
  const auto source = from_memory(packed_);
  EXPECT_EQ(drain(*read_ahead(open(*source))), drain(*open(*source)));
}

TEST_P(ReadAheadOf, SameErrorAfterTheSameBytes) {
  packed_.resize(packed_.size() - 3);
  const auto source = from_memory(packed_);
  const Drained outcome = drain(*read_ahead(open(*source)));
  EXPECT_EQ(outcome, drain(*open(*source)));
  EXPECT_EQ(outcome.error.code, ErrorCode::kTruncated);
}

TEST_P(ReadAheadOf, SameLimit) {
  const auto source = from_memory(packed_);
  const Limits limits{.expanded = GetParam() * Block::kCapacity};
  const Drained outcome = drain(*read_ahead(open(*source, limits)));
  EXPECT_EQ(outcome, drain(*open(*source, limits)));
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimit);
}

TEST_P(ReadAheadOf, TheEndStays) {
  const auto source = from_memory(packed_);
  const auto stream = read_ahead(open(*source));
  drain(*stream);
  Block block;
  EXPECT_FALSE(*stream->next(block));
  EXPECT_FALSE(*stream->next(block));
}

TEST_P(ReadAheadOf, MayBeLeftAtAnyBlock) {
  const auto source = from_memory(packed_);
  for (std::size_t taken = 0; taken <= GetParam(); ++taken) {
    const auto stream = read_ahead(open(*source));
    Block block;
    for (std::size_t i = 0; i < taken; ++i) ASSERT_TRUE(*stream->next(block));
  }
}

TEST(ReadAhead, SeveralAtOnceFromOneSource) {
  const Buffer packed = pack(bytes_of(long_text(3)), Codec::kZlib);
  const auto source = from_memory(packed);
  const Extent all{0, packed.size()};
  const auto a = read_ahead(open_region(*source, all, Codec::kZlib, {}));
  const auto b = read_ahead(open_region(*source, all, Codec::kZlib, {}));
  Block one;
  Block two;
  while (*a->next(one)) {
    ASSERT_TRUE(*b->next(two));
    ASSERT_EQ(text_of({one.data(), one.size}), text_of({two.data(), two.size}));
  }
  EXPECT_FALSE(*b->next(two));
}

// In a child of its own: a user who may have no further thread.
[[noreturn]] void read_without_threads(const Buffer& packed, std::size_t expected) {
  const rlimit none{0, 0};
  if (::getuid() == 0 && ::setuid(65534) != 0) std::_Exit(3);  // limits do not hold for root
  if (::setrlimit(RLIMIT_NPROC, &none) != 0) std::_Exit(4);
  const auto source = from_memory(packed);
  const auto stream = read_ahead(open_region(*source, {0, packed.size()}, Codec::kZlib, {}));
  std::_Exit(drain(*stream).plain.size() == expected ? 0 : 5);
}

TEST(ReadAhead, WorksWhereNoThreadCanBeHad) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Buffer packed = pack(bytes_of(long_text(2)), Codec::kZlib);
  EXPECT_EXIT(read_without_threads(packed, long_text(2).size()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace trikal::log
