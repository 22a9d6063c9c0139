#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "log/read/reader.hpp"
#include "log/trailer/reader.hpp"
#include "log/write/tool_writer.hpp"

namespace trikal::log {
namespace {

constexpr Column kColumns[] = {
    {"count", ColumnType::kI64, "calls", "how often"},     {"id", ColumnType::kU64, kUnitRecordId, "which"},
    {"time", ColumnType::kF64, kUnitTimestamp, "when"},    {"name", ColumnType::kText, "", "who"},
    {"blob", ColumnType::kBytes, "", "bytes of any kind"},
};
constexpr SectionSchema kSites = {"sites", "call sites", kColumns};
constexpr Column kOneColumn[] = {{"only", ColumnType::kU64, "", "a number"}};
constexpr SectionSchema kEmpty = {"empty", "no rows", kOneColumn};

std::vector<std::byte> file_bytes(const std::string& path) {
  auto source = open_file(path);
  EXPECT_TRUE(source);
  std::vector<std::byte> bytes((*source)->size());
  EXPECT_TRUE((*source)->read_at(0, bytes));
  return bytes;
}

// A small log with two sections of our own and 50 names.
std::vector<std::byte> make_log(ToolWriteOptions options = {}) {
  std::string folder = testing::TempDir() + "trikal-trailer-XXXXXX";
  EXPECT_NE(::mkdtemp(folder.data()), nullptr);
  auto tool = ToolWriter::create(folder + "/log", options);
  EXPECT_TRUE(tool);
  Writer& writer = (*tool)->writer();
  EXPECT_TRUE(writer.put_job({.uid = 4}, {"", "exe", {}}));
  EXPECT_TRUE(writer.begin_names());
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_TRUE(writer.put_name(i, "/name/" + std::to_string(i)));
  EXPECT_TRUE(writer.end_region());
  if (TrailerWriter* trailer = writer.trailer()) {
    EXPECT_TRUE(trailer->begin_section(kSites));
    for (int i = 0; i < 20; ++i) {
      const std::string text(static_cast<std::size_t>(i * 7), 'x');
      EXPECT_TRUE(trailer->put_i64(-i));
      EXPECT_TRUE(trailer->put_u64(~std::uint64_t{0} - static_cast<std::uint64_t>(i)));
      EXPECT_TRUE(trailer->put_f64(0.25 * i));
      EXPECT_TRUE(trailer->put_text(text));
      EXPECT_TRUE(trailer->put_bytes(std::as_bytes(std::span{text})));
    }
    EXPECT_TRUE(trailer->end_section());
    EXPECT_TRUE(trailer->begin_section(kEmpty));
    EXPECT_TRUE(trailer->end_section());
  }
  EXPECT_TRUE(writer.finish(0));
  std::vector<std::byte> bytes = file_bytes(folder + "/log");
  std::filesystem::remove_all(folder);
  return bytes;
}

std::unique_ptr<Reader> open_log(std::vector<std::byte> bytes) {
  auto reader = Reader::open(from_memory(std::move(bytes)));
  EXPECT_TRUE(reader);
  return std::move(*reader);
}

// Every row of every section; the first error.
Status read_all(const Trailer& trailer) {
  for (const Section& section : trailer.sections()) {
    auto rows = trailer.rows(section);
    if (!rows) return rows.error();
    std::span<const Cell> row;
    for (;;) {
      auto more = (*rows)->next(row);
      if (!more) return more.error();
      if (!*more) break;
    }
  }
  return {};
}

std::size_t names_in(Reader& reader) {
  auto names = reader.names();
  return names ? (*names)->entries().size() : 0;
}

class EveryTrailerCodec : public testing::TestWithParam<Codec> {};

TEST_P(EveryTrailerCodec, SectionsComeBackWithTheirSchema) {
  const auto reader = open_log(make_log({.codec = GetParam()}));
  const Trailer* trailer = reader->trailer();
  ASSERT_NE(trailer, nullptr);
  ASSERT_EQ(trailer->sections().size(), 3U);  // and "streams", the writer's own
  const Section* sites = trailer->find("sites");
  ASSERT_NE(sites, nullptr);
  EXPECT_EQ(sites->help, "call sites");
  EXPECT_EQ(sites->rows, 20U);
  ASSERT_EQ(sites->columns.size(), 5U);
  EXPECT_EQ(sites->columns[2].unit, kUnitTimestamp);
  EXPECT_EQ(sites->columns[4].help, "bytes of any kind");
  EXPECT_EQ(sites->column("name"), 3U);
  EXPECT_EQ(sites->column("nobody"), 5U);
  auto rows = trailer->rows(*sites);
  ASSERT_TRUE(rows);
  std::span<const Cell> row;
  for (int i = 0; i < 20; ++i) {
    auto more = (*rows)->next(row);
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(row[0].i64(), -i);
    EXPECT_EQ(row[1].u64(), ~std::uint64_t{0} - static_cast<std::uint64_t>(i));
    EXPECT_EQ(row[2].f64(), 0.25 * i);
    EXPECT_EQ(row[3].text, std::string(static_cast<std::size_t>(i * 7), 'x'));
    EXPECT_EQ(row[4].text, row[3].text);
  }
  auto more = (*rows)->next(row);
  EXPECT_TRUE(more && !*more);
  EXPECT_TRUE(read_all(*trailer));
  EXPECT_TRUE(reader->damage().empty());
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryTrailerCodec, testing::Values(Codec::kZlib, Codec::kBzip2, Codec::kNone));

TEST(Trailer, ALogWithoutOneIsNormal) {
  const auto reader = open_log(make_log({.trailer = false}));
  EXPECT_EQ(reader->trailer(), nullptr);
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_EQ(names_in(*reader), 50U);
}

TEST(Trailer, BytesBehindALogAreNotATrailer) {
  auto bytes = make_log({.trailer = false});
  bytes.resize(bytes.size() + 1000, std::byte{'x'});
  const auto reader = open_log(bytes);
  EXPECT_EQ(reader->trailer(), nullptr);
  EXPECT_TRUE(reader->damage().empty());
}

TEST(Trailer, EveryFlippedBitIsNoticedAndNothingElseIsLost) {
  const auto good = make_log();
  const std::uint64_t start = open_log(good)->trailer()->extent().offset;
  for (std::size_t at = start; at < good.size(); ++at) {
    auto bytes = good;
    bytes[at] ^= std::byte{static_cast<unsigned char>(1U << (at % 8))};
    const auto reader = open_log(bytes);
    const Trailer* trailer = reader->trailer();
    const bool noticed = !reader->damage().empty() || (trailer != nullptr && !read_all(*trailer));
    EXPECT_TRUE(noticed) << "byte " << at << " of " << good.size();
    EXPECT_EQ(names_in(*reader), 50U);
  }
}

TEST(Trailer, CutOffAnywhereItIsNoticedAndNothingElseIsLost) {
  const auto good = make_log();
  const std::uint64_t start = open_log(good)->trailer()->extent().offset;
  for (std::size_t size = start; size < good.size(); ++size) {
    const auto reader = open_log({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_EQ(reader->trailer(), nullptr);
    // The first few bytes could be anything.
    EXPECT_EQ(reader->damage().empty(), size < start + kTrailerStart.size()) << size;
    EXPECT_EQ(names_in(*reader), 50U);
  }
}

TEST(Trailer, AnotherHeaderIsNoticed) {
  auto bytes = make_log();
  bytes[NewHeader::kPartialAt] = std::byte{2};
  const auto reader = open_log(bytes);
  EXPECT_NE(reader->trailer(), nullptr);
  ASSERT_EQ(reader->damage().size(), 1U);
  EXPECT_EQ(reader->damage()[0].where, "header");
}

// A log whose trailer lies with checksums that are right.
class Lies : public testing::Test {
 protected:
  void change_footer(std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(footer() + at, &value, bytes);
    seal();
  }
  void change_entry(std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(directory() + at, &value, bytes);
    seal();
  }
  std::byte* find(std::string_view wanted) {
    const std::string_view text(reinterpret_cast<const char*>(directory()), directory_bytes());
    return directory() + text.find(wanted);
  }
  void change_directory_byte(std::string_view behind, std::ptrdiff_t offset, std::byte value) {
    find(behind)[offset] = value;
    seal();
  }
  void change_directory_text(std::string_view from, std::string_view to) {
    std::memcpy(find(from), to.data(), to.size());
    seal();
  }
  [[nodiscard]] std::uint64_t footer_word(std::size_t at) { return load_le<std::uint64_t>(footer() + at); }
  std::byte* footer() { return bytes_.data() + bytes_.size() - FooterLayout::kBytes; }
  std::byte* directory() { return bytes_.data() + footer_word(FooterLayout::kDirectoryAt); }
  std::size_t directory_bytes() { return footer_word(FooterLayout::kDirectoryBytesAt); }
  void seal() {
    const std::uint64_t at = footer_word(FooterLayout::kDirectoryAt), length = directory_bytes();
    if (at <= bytes_.size() && length <= bytes_.size() - at) {
      store_le(footer() + FooterLayout::kDirectoryCrcAt, crc32c(Bytes{bytes_}.subspan(at, length)));
    }
    store_le(footer() + FooterLayout::kCrcAt, crc32c(Bytes{footer(), FooterLayout::kCrcAt}));
  }
  // Unusable as a whole, or at least its first section.
  void expect_refused(bool whole = true) {
    const auto reader = open_log(bytes_);
    const Trailer* trailer = reader->trailer();
    EXPECT_EQ(trailer == nullptr, whole);
    if (trailer != nullptr) EXPECT_FALSE(read_all(*trailer));
    else EXPECT_FALSE(reader->damage().empty());
    EXPECT_EQ(names_in(*reader), 50U);
  }

  std::vector<std::byte> bytes_ = make_log();
};

using Foot = FooterLayout;
using Entry = EntryLayout;
constexpr std::uint64_t kHuge = ~std::uint64_t{0};

TEST_F(Lies, SealingAgainIsHarmless) {
  seal();
  EXPECT_NE(open_log(bytes_)->trailer(), nullptr);
}

TEST_F(Lies, AboutTheFooter) {
  const auto good = bytes_;
  const std::uint64_t start = footer_word(Foot::kStartAt), directory = footer_word(Foot::kDirectoryAt);
  const struct {
    std::size_t at;
    std::uint64_t value;
    std::size_t bytes;
  } lies[] = {
      {Foot::kVersionAt, 2, 4},        {Foot::kSectionsAt, 2, 4},
      {Foot::kSectionsAt, 4, 4},       {Foot::kSectionsAt, kHuge, 4},
      {Foot::kStartAt, 0, 8},          {Foot::kStartAt, start - 1, 8},
      {Foot::kStartAt, start + 1, 8},  {Foot::kStartAt, kHuge, 8},
      {Foot::kDirectoryAt, 0, 8},      {Foot::kDirectoryAt, kHuge, 8},
      {Foot::kDirectoryAt, start, 8},  {Foot::kDirectoryAt, directory + 1, 8},
      {Foot::kDirectoryBytesAt, 0, 8}, {Foot::kDirectoryBytesAt, kHuge, 8},
      {Foot::kFileBytesAt, 5, 8},
  };
  for (const auto& lie : lies) {
    bytes_ = good;
    change_footer(lie.at, lie.value, lie.bytes);
    SCOPED_TRACE(testing::Message() << "footer " << lie.at << " = " << lie.value);
    expect_refused();
  }
}

TEST_F(Lies, AboutASection) {
  const auto good = bytes_;
  const struct {
    std::size_t at;
    std::uint64_t value;
    std::size_t bytes;
    bool whole;
  } lies[] = {
      {Entry::kLengthAt, 0, 4, true},  {Entry::kLengthAt, 47, 4, true},      {Entry::kLengthAt, 0xffffffff, 4, true},
      {Entry::kCodecAt, 3, 1, true},   {Entry::kCodecAt, 1, 1, false},       {Entry::kCodecAt, 2, 1, false},
      {Entry::kColumnsAt, 0, 2, true}, {Entry::kColumnsAt, 0xffff, 2, true}, {Entry::kColumnsAt, 4, 2, false},
      {Entry::kOffsetAt, 0, 8, true},  {Entry::kOffsetAt, kHuge, 8, true},   {Entry::kStoredAt, kHuge, 8, true},
      {Entry::kStoredAt, 5, 8, false}, {Entry::kPlainAt, 10, 8, false},      {Entry::kRowsAt, 19, 8, false},
      {Entry::kRowsAt, 21, 8, false},  {Entry::kRowsAt, kHuge, 8, false},    {Entry::kCrcAt, 0, 4, false},
  };
  for (const auto& lie : lies) {
    bytes_ = good;
    change_entry(lie.at, lie.value, lie.bytes);
    SCOPED_TRACE(testing::Message() << "entry " << lie.at << " = " << lie.value);
    expect_refused(lie.whole);
  }
}

TEST_F(Lies, AboutNamesAndTypes) {
  const auto good = bytes_;
  change_directory_byte("count", -3, std::byte{9});  // the type before the column's name
  expect_refused();
  bytes_ = good;
  change_directory_byte("count", -1, std::byte{0xff});  // the length of the name
  expect_refused();
  bytes_ = good;
  change_directory_text("empty", "sites");  // two of one name
  expect_refused();
}

TEST(Trailer, WhatNewerWritersAddToAnEntryIsSkipped) {
  // Entries tell their length: grow the first by four bytes nobody knows.
  auto bytes = make_log();
  std::byte* footer = bytes.data() + bytes.size() - Foot::kBytes;
  const auto directory = load_le<std::uint64_t>(footer + Foot::kDirectoryAt);
  const auto length = load_le<std::uint32_t>(bytes.data() + directory);
  store_le(bytes.data() + directory, length + 4);
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(directory + length), 4, std::byte{7});
  footer = bytes.data() + bytes.size() - Foot::kBytes;
  const std::uint64_t total = load_le<std::uint64_t>(footer + Foot::kDirectoryBytesAt) + 4;
  store_le(footer + Foot::kDirectoryBytesAt, total);
  store_le(footer + Foot::kDirectoryCrcAt, crc32c(Bytes{bytes}.subspan(directory, total)));
  store_le(footer + Foot::kFileBytesAt, std::uint64_t{bytes.size()});
  store_le(footer + Foot::kCrcAt, crc32c(Bytes{footer, Foot::kCrcAt}));
  const auto reader = open_log(bytes);
  ASSERT_NE(reader->trailer(), nullptr);
  EXPECT_TRUE(read_all(*reader->trailer()));
}

TEST(TrailerWriter, RefusesWhatTheSchemaDoesNotSay) {
  std::string folder = testing::TempDir() + "trikal-trailer-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  auto tool = ToolWriter::create(folder + "/log");
  ASSERT_TRUE(tool);
  Writer& writer = (*tool)->writer();
  EXPECT_EQ(writer.trailer(), nullptr);  // not before the regions
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.begin_names());
  EXPECT_EQ(writer.trailer(), nullptr);
  ASSERT_TRUE(writer.end_region());
  TrailerWriter* trailer = writer.trailer();
  ASSERT_NE(trailer, nullptr);
  EXPECT_EQ(trailer->put_u64(1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(trailer->end_section().error().code, ErrorCode::kUsage);
  EXPECT_EQ(trailer->begin_section({"x", "", {}}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(trailer->begin_section({"", "", kOneColumn}).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(trailer->begin_section(kSites));
  EXPECT_EQ(trailer->begin_section(kEmpty).error().code, ErrorCode::kUsage);
  EXPECT_EQ(trailer->put_f64(1).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(trailer->put_i64(1));
  EXPECT_EQ(trailer->end_section().error().code, ErrorCode::kUsage);  // inside a row
  EXPECT_EQ(writer.finish(0).error().code, ErrorCode::kUsage);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace trikal::log
