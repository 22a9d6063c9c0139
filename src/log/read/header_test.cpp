#include "log/read/header.hpp"

#include <gtest/gtest.h>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::bytes_of;
using testing::LogParts;

Buffer usual_log(int minor = 41, bool foreign = false) {
  LogParts parts{.minor = minor, .foreign = foreign};
  parts.with_usual_job().with_names({});
  parts.modules[1] = {4, Buffer(100)};
  parts.modules[7] = {2, Buffer(50)};
  return parts.build();
}

Result<Header> read(Buffer file) { return read_header(*from_memory(std::move(file))); }

Error refusal(Buffer file) {
  const auto header = read(std::move(file));
  return header ? Error{} : header.error();
}

struct Order {
  int minor;
  bool foreign;
};
class Versions : public ::testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(All, Versions,
                         ::testing::Values(Order{0, false}, Order{0, true}, Order{10, false}, Order{10, true},
                                           Order{20, false}, Order{20, true}, Order{21, false}, Order{21, true},
                                           Order{41, false}, Order{41, true}));

TEST_P(Versions, MapsAreInTodaysNumbering) {
  const auto [minor, foreign] = GetParam();
  const Buffer file = usual_log(minor, foreign);
  const auto header = read(file);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->minor, minor);
  EXPECT_EQ(header->foreign, foreign);
  EXPECT_EQ(header->bytes, minor < 41 ? 360U : 1328U);
  EXPECT_EQ(header->job.offset, header->bytes);
  EXPECT_EQ(header->job.offset + header->job.length, header->names.offset);
  EXPECT_EQ(header->modules[1], (Extent{header->names.offset + header->names.length, 100}));
  EXPECT_EQ(header->module_versions[1], 4U);
  // Index 7 of the file: LUSTRE is 6 there before 3.20 and 7 before 3.41.
  const std::size_t now = minor < 20 ? 9 : minor < 41 ? 8 : 7;
  EXPECT_EQ(header->modules[now], (Extent{file.size() - 50, 50}));
  EXPECT_EQ(header->module_versions[now], 2U);
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    if (i != 1 && i != now) {
      EXPECT_EQ(header->modules[i], Extent{}) << i;
    }
  }
  EXPECT_TRUE(check_extents(*header, file.size()));
}

// Every partial flag of every version, alone: the flag moves as its module does.
TEST_P(Versions, PartialFlagsMoveWithTheirModules) {
  const auto [minor, foreign] = GetParam();
  for (std::size_t i = 0; i < (minor < 41 ? 16U : 64U); ++i) {
    LogParts parts{.minor = minor, .foreign = foreign, .partial = std::uint64_t{1} << i};
    const auto header = read(parts.build());
    ASSERT_TRUE(header);
    std::size_t now = i;
    if (minor < 20 && now >= 4) ++now;
    if (minor < 41 && now >= 6) ++now;
    EXPECT_EQ(header->partial, std::uint64_t{1} << now) << i;
    EXPECT_TRUE(header->is_partial(now));
  }
}

TEST_P(Versions, EveryIndexHasItsSlot) {
  const auto [minor, foreign] = GetParam();
  LogParts parts{.minor = minor, .foreign = foreign};
  const std::size_t slots = minor < 41 ? 16 : 64;
  for (std::size_t i = 0; i < slots; ++i) parts.modules[i] = {static_cast<std::uint32_t>(100 + i), Buffer(i + 1)};
  const auto header = read(parts.build());
  ASSERT_TRUE(header);
  for (std::size_t i = 0; i < slots; ++i) {
    std::size_t now = i;
    if (minor < 20 && now >= 4) ++now;
    if (minor < 41 && now >= 6) ++now;
    EXPECT_EQ(header->modules[now].length, i + 1);
    EXPECT_EQ(header->module_versions[now], 100 + i);
  }
  if (minor < 20) {
    EXPECT_EQ(header->module_versions[4], 0U);
  }
  if (minor < 41) {
    EXPECT_EQ(header->module_versions[6], 0U);
  }
}

TEST_P(Versions, CutHeadersAreRefused) {
  const auto [minor, foreign] = GetParam();
  const Buffer file = usual_log(minor, foreign);
  const std::size_t whole = minor < 41 ? 360 : 1328;
  for (std::size_t size = 0; size < whole; ++size) {
    const Error error = refusal(Buffer(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
    ASSERT_NE(error.code, ErrorCode::kNone) << size;
    if (size >= 32) {
      ASSERT_EQ(error.code, ErrorCode::kTruncated);
      ASSERT_EQ(error.offset, size);
    }
  }
}

TEST(Header, JobEndsWhereTheFirstRegionBegins) {
  LogParts parts;
  parts.job = Buffer(40);
  parts.modules[3] = {3, Buffer(10)};
  Buffer file = parts.build();
  EXPECT_EQ(read(file)->job, (Extent{1328, 40}));
  store(file.data() + NewHeader::kNamesAt, std::uint64_t{0});  // no name region: the first module tells
  EXPECT_EQ(read(file)->job, (Extent{1328, 40}));
  store(file.data() + NewHeader::kMapAt + 3 * 16, std::uint64_t{0});  // nothing at all: the file's end tells
  EXPECT_EQ(read(file)->job, (Extent{1328, 50}));
  store(file.data() + NewHeader::kNamesAt, std::uint64_t{20});  // inside the header
  EXPECT_EQ(read(file)->job, (Extent{1328, 0}));
}

TEST(Header, WhatIsNoLogIsToldApart) {
  EXPECT_STREQ(refusal({}).what, "the file is empty");
  EXPECT_EQ(refusal(bytes_of("\x1f\x8b\x08 and so on")).code, ErrorCode::kUnsupported);
  EXPECT_EQ(refusal(bytes_of("BZh91AY&SY")).code, ErrorCode::kUnsupported);
  EXPECT_EQ(refusal(Buffer(2000)).code, ErrorCode::kNotALog);
  EXPECT_NE(std::string(refusal(Buffer(2000)).what).find("all zero"), std::string::npos);
  EXPECT_EQ(refusal(bytes_of("some text, longer than the shortest header that could be")).code, ErrorCode::kNotALog);
  EXPECT_EQ(refusal(bytes_of("short")).code, ErrorCode::kNotALog);
}

TEST(Header, VersionsNobodyKnowsAreRefused) {
  const auto with_version = [](std::string_view text) {
    Buffer file = usual_log();
    std::fill_n(file.begin(), kVersionText, std::byte{0});
    std::copy_n(bytes_of(text).begin(), text.size(), file.begin());
    return refusal(std::move(file)).code;
  };
  for (const char* text : {"3.42", "2.06", "4.41", "3.1", "3.411111", "-3.41", "3.-1", "999.41"}) {
    EXPECT_EQ(with_version(text), ErrorCode::kUnsupported) << text;
  }
  for (const char* text : {"3", "3.", "", ".41", "a.b", "33333333", "3.999999", "9999999."}) {
    EXPECT_NE(with_version(text), ErrorCode::kNone) << text;
  }
  EXPECT_EQ(with_version("3.41"), ErrorCode::kNone);
}

TEST(Header, AVersionWithoutEndIsCutNotOverrun) {
  Buffer file = usual_log();
  const std::string text = "3.41zzzz";
  std::copy_n(bytes_of(text).begin(), 8, file.begin());
  const auto header = read(file);
  ASSERT_TRUE(header);
  EXPECT_STREQ(header->version.data(), "3.41zzz");
}

TEST(Header, UnknownCompressionIsRefused) {
  Buffer file = usual_log();
  for (int codec = 0; codec < 256; ++codec) {
    file[NewHeader::kCodecAt] = static_cast<std::byte>(codec);
    EXPECT_EQ(read(file).ok(), codec <= 2) << codec;
  }
}

Error misfit(std::size_t at, std::uint64_t offset, std::uint64_t length) {
  Buffer file = usual_log();
  store(file.data() + at, offset);
  store(file.data() + at + 8, length);
  const auto header = read(file);
  EXPECT_TRUE(header);
  const Status fits = check_extents(*header, file.size());
  return fits ? Error{} : fits.error();
}

TEST(Extents, OnlyThoseInsideTheFileAreTaken) {
  const std::size_t size = usual_log().size();
  const std::size_t posix = NewHeader::kMapAt + 16;
  EXPECT_EQ(misfit(posix, size - 10, 10).code, ErrorCode::kNone);
  EXPECT_EQ(misfit(posix, size - 10, 11).code, ErrorCode::kTruncated);
  EXPECT_EQ(misfit(posix, size - 10, 11).offset, size);
  EXPECT_EQ(misfit(posix, size + 10, 5).code, ErrorCode::kTruncated);
  EXPECT_EQ(misfit(posix, ~std::uint64_t{0} - 7, 16).code, ErrorCode::kTruncated);
  EXPECT_EQ(misfit(posix, 1400, ~std::uint64_t{0}).code, ErrorCode::kTruncated);
  EXPECT_EQ(misfit(posix, 8, 100).code, ErrorCode::kDamaged);
  EXPECT_EQ(misfit(posix, 8, 100).offset, 8U);
  EXPECT_EQ(misfit(posix, ~std::uint64_t{0}, 0).code, ErrorCode::kNone) << "no data: wherever it says it lies";
  EXPECT_EQ(misfit(NewHeader::kNamesAt, size, 1).code, ErrorCode::kTruncated);
  EXPECT_EQ(misfit(NewHeader::kNamesAt, size + 500, 0).code, ErrorCode::kTruncated) << "the job reaches to there";
}

TEST(Extents, ClippingKeepsWhatIsThere) {
  Buffer file = usual_log();
  const std::size_t size = file.size();
  store(file.data() + NewHeader::kMapAt + 16, std::uint64_t{size - 10});
  store(file.data() + NewHeader::kMapAt + 24, ~std::uint64_t{0});
  store(file.data() + NewHeader::kMapAt + 7 * 16, std::uint64_t{size + 1});
  store(file.data() + NewHeader::kMapAt + 8 * 16, std::uint64_t{3});
  store(file.data() + NewHeader::kMapAt + 8 * 16 + 8, std::uint64_t{3});
  Header header = *read(file);
  EXPECT_TRUE(clip_extents(header, size));
  EXPECT_EQ(header.modules[1], (Extent{size - 10, 10}));
  EXPECT_EQ(header.modules[7].length, 0U);
  EXPECT_EQ(header.modules[8].length, 0U);
  EXPECT_TRUE(check_extents(header, size));
  EXPECT_FALSE(clip_extents(header, size));
}

TEST(Header, AFailingDiskIsAnError) {
  class Broken final : public Source {
   public:
    Result<std::size_t> read_at(std::uint64_t /*offset*/, MutableBytes /*out*/) const override {
      return Error{.code = ErrorCode::kSystem, .sys_errno = 5, .what = "cannot read"};
    }
    [[nodiscard]] std::uint64_t size() const override { return 5000; }
  };
  const auto header = read_header(Broken{});
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kSystem);
}

}  // namespace
}  // namespace trikal::log
