#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
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
  ASSERT_EQ(trailer->sections().size(), 2U);
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

using Foot = FooterLayout;
using Entry = EntryLayout;
constexpr std::uint64_t kHuge = ~std::uint64_t{0};

// A trailer of version 1 behind a log without one: the sections of make_log, as older writers made them.
class OldTrailer {
 public:
  explicit OldTrailer(std::vector<std::byte> log) : bytes_(std::move(log)), start_(bytes_.size()) {
    text(std::string_view(kTrailerStart.data(), kTrailerStart.size()));
    const std::size_t sites = bytes_.size();
    for (int i = 0; i < 20; ++i) {
      const std::string value(static_cast<std::size_t>(i * 7), 'x');
      number(static_cast<std::uint64_t>(-i), 8), number(kHuge - static_cast<std::uint64_t>(i), 8);
      number(std::bit_cast<std::uint64_t>(0.25 * i), 8);
      for (int twice = 0; twice < 2; ++twice) number(value.size(), 4), text(value);
    }
    const std::size_t empty = bytes_.size(), directory = empty;
    entry(kSites, {sites, empty - sites}, 20, 0);
    entry(kEmpty, {empty, 0}, 0, 4);  // with bytes of a newer writer
    footer(directory);
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void number(std::uint64_t value, std::size_t size) {
    for (; size > 0; --size, value >>= 8) bytes_.push_back(static_cast<std::byte>(value));
  }
  void text(std::string_view value) {
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
  }
  void described(std::string_view value) { number(value.size(), 2), text(value); }
  void entry(const SectionSchema& schema, Extent extent, std::uint64_t rows, std::size_t more) {
    const std::size_t at = bytes_.size();
    number(0, 4), number(static_cast<std::uint64_t>(Codec::kNone), 1), number(0, 1), number(schema.columns.size(), 2);
    number(crc32c(Bytes{bytes_}.subspan(extent.offset, extent.length)), 4), number(0, 4);
    number(extent.offset, 8), number(extent.length, 8), number(extent.length, 8), number(rows, 8);
    described(schema.name), described(schema.help);
    for (const Column& column : schema.columns) {
      number(static_cast<std::uint64_t>(column.type), 1);
      described(column.name), described(column.unit), described(column.help);
    }
    number(0, more);
    store_le(bytes_.data() + at, static_cast<std::uint32_t>(bytes_.size() - at));
  }
  void footer(std::size_t directory) {
    const std::size_t end = bytes_.size();
    text(std::string_view(kTrailerEnd.data(), kTrailerEnd.size()));
    number(1, 4), number(2, 4), number(start_, 8), number(directory, 8), number(end - directory, 8);
    number(crc32c(Bytes{bytes_}.subspan(directory, end - directory)), 4);
    number(crc32c(Bytes{bytes_}.first(NewHeader::kBytes)), 4), number(end + Foot::kBytes, 8), number(0, 4);
    number(crc32c(Bytes{bytes_}.subspan(end)), 4);
  }

  std::vector<std::byte> bytes_;
  std::size_t start_;
};

// A log whose trailer lies with checksums that are right; of both versions.
class Lies : public testing::TestWithParam<int> {
 protected:
  void change_footer(std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(footer() + at, &value, bytes);
    seal();
  }
  void change_directory(std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(directory() + at, &value, bytes);
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

  // Not compressed: bytes of the directory and of rows can be found.
  std::vector<std::byte> bytes_ =
      GetParam() == 1 ? OldTrailer(make_log({.trailer = false})).bytes() : make_log({.codec = Codec::kNone});
};

INSTANTIATE_TEST_SUITE_P(Versions, Lies, testing::Values(1, 2));

TEST_P(Lies, SealingAgainIsHarmless) {
  seal();
  const auto reader = open_log(bytes_);
  ASSERT_NE(reader->trailer(), nullptr);
  ASSERT_EQ(reader->trailer()->sections().size(), 2U);
  EXPECT_TRUE(read_all(*reader->trailer()));
  EXPECT_TRUE(reader->damage().empty());
  auto rows = reader->trailer()->rows(*reader->trailer()->find("sites"));
  ASSERT_TRUE(rows);
  std::span<const Cell> row;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE((*rows)->next(row));
    EXPECT_EQ(row[0].i64(), -i);
    EXPECT_EQ(row[2].f64(), 0.25 * i);
    EXPECT_EQ(row[4].text.size(), static_cast<std::size_t>(i * 7));
  }
}

TEST_P(Lies, AboutTheFooter) {
  const auto good = bytes_;
  const std::uint64_t start = footer_word(Foot::kStartAt), directory = footer_word(Foot::kDirectoryAt);
  const struct {
    std::size_t at;
    std::uint64_t value;
    std::size_t bytes;
  } lies[] = {
      {Foot::kVersionAt, 3, 4},        {Foot::kVersionAt, 3U - static_cast<unsigned>(GetParam()), 4},
      {Foot::kSectionsAt, 1, 4},       {Foot::kSectionsAt, 4, 4},
      {Foot::kSectionsAt, kHuge, 4},   {Foot::kCodecAt, 3, 1},
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

// Every byte of the directory and of what is in its stream says something else: refused, or something that can be read.
// Two of these at each byte; with scripts/test --full all of them.
TEST_P(Lies, AboutAnythingInTheDirectory) {
  static constexpr unsigned kValues[] = {0U, 1U, 2U, 0x7fU, 0x80U, 0xffU};
  const char* setting = std::getenv("TRIKAL_FULL");
  const bool full = setting != nullptr && setting[0] == '1';
  const auto good = bytes_;
  for (std::size_t at = 0; at < directory_bytes(); ++at) {
    for (std::size_t which = full ? 0 : at % 3; which < std::size(kValues); which += full ? 1 : 3) {
      bytes_ = good;
      change_directory(at, kValues[which], 1);
      const auto reader = open_log(bytes_);
      if (reader->trailer() != nullptr) (void)read_all(*reader->trailer());
      EXPECT_EQ(names_in(*reader), 50U);
    }
  }
}

class OldLies : public Lies {};
INSTANTIATE_TEST_SUITE_P(Versions, OldLies, testing::Values(1));

TEST_P(OldLies, AboutASection) {
  const auto good = bytes_;
  const struct {
    std::size_t at;
    std::uint64_t value;
    std::size_t bytes;
    bool whole;
  } lies[] = {
      {Entry::kLengthAt, 0, 4, true},  {Entry::kLengthAt, 47, 4, true},      {Entry::kLengthAt, 0xffffffff, 4, true},
      {Entry::kCodecAt, 3, 1, true},   {Entry::kCodecAt, 1, 1, false},       {Entry::kCodecAt, 0, 1, false},
      {Entry::kColumnsAt, 0, 2, true}, {Entry::kColumnsAt, 0xffff, 2, true}, {Entry::kColumnsAt, 4, 2, false},
      {Entry::kOffsetAt, 0, 8, true},  {Entry::kOffsetAt, kHuge, 8, true},   {Entry::kStoredAt, kHuge, 8, true},
      {Entry::kStoredAt, 5, 8, false}, {Entry::kPlainAt, 10, 8, false},      {Entry::kRowsAt, 19, 8, false},
      {Entry::kRowsAt, 21, 8, false},  {Entry::kRowsAt, kHuge, 8, false},    {Entry::kCrcAt, 0, 4, false},
  };
  for (const auto& lie : lies) {
    bytes_ = good;
    change_directory(lie.at, lie.value, lie.bytes);
    SCOPED_TRACE(testing::Message() << "entry " << lie.at << " = " << lie.value);
    expect_refused(lie.whole);
  }
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
