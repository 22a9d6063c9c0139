// Rows come back as they were put, whatever the memory they are held in, and rows that are alike take no space.

#include "log/trailer/row_group.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "log/read/reader.hpp"
#include "log/trailer/known_lines.hpp"
#include "log/write/tool_writer.hpp"

namespace trikal::log {
namespace {

constexpr Column kColumns[] = {
    {"i", ColumnType::kI64, "", ""},  {"u", ColumnType::kU64, "", ""},   {"f", ColumnType::kF64, "", ""},
    {"t", ColumnType::kText, "", ""}, {"b", ColumnType::kBytes, "", ""},
};
constexpr SectionSchema kSection = {"rows", "of any kind", kColumns};
constexpr std::string_view kCommand = "./program with some arguments";

struct Row {
  std::int64_t i = 0;
  std::uint64_t u = 0;
  double f = 0;
  std::string t, b;
  bool operator==(const Row& other) const {
    return i == other.i && u == other.u && std::bit_cast<std::uint64_t>(f) == std::bit_cast<std::uint64_t>(other.f) &&
           t == other.t && b == other.b;
  }
};

std::string folder() {
  std::string name = testing::TempDir() + "trikal-rows-XXXXXX";
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  return name;
}

Status put(TrailerWriter& trailer, const std::vector<Row>& rows) {
  Status done = trailer.begin_section(kSection);
  for (const Row& row : rows) {
    if (done) done = trailer.put_i64(row.i);
    if (done) done = trailer.put_u64(row.u);
    if (done) done = trailer.put_f64(row.f);
    if (done) done = trailer.put_text(row.t);
    if (done) done = trailer.put_bytes(std::as_bytes(std::span{row.b}));
  }
  return done ? trailer.end_section() : done;
}

// A log with these rows in its trailer, made with so much memory to hold rows in.
std::vector<std::byte> log_of(const std::vector<Row>& rows, std::size_t memory_bytes) {
  const std::string in = folder(), path = in + "/log";
  std::vector<std::byte> encoder(kZlibEncoderBytes), output(4096), held(memory_bytes);
  std::vector<StreamEntry> streams(16);
  Writer writer({encoder, output, streams, held});
  EXPECT_TRUE(writer.create({.path = path.c_str(), .mode = 0600}));
  EXPECT_TRUE(writer.put_job({.uid = 4}, {"", kCommand, {}}));
  EXPECT_TRUE(put(*(writer.begin_names() && writer.end_region() ? writer.trailer() : nullptr), rows));
  EXPECT_TRUE(writer.finish(0));
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  EXPECT_TRUE((*open_file(path))->read_at(0, bytes));
  std::filesystem::remove_all(in);
  return bytes;
}

std::vector<Row> read_back(std::vector<std::byte> bytes) {
  auto reader = Reader::open(from_memory(std::move(bytes)));
  EXPECT_TRUE(reader);
  const Trailer* trailer = (*reader)->trailer();
  EXPECT_NE(trailer, nullptr);
  auto rows = trailer->rows(trailer->sections().front());
  EXPECT_TRUE(rows);
  std::vector<Row> found;
  std::span<const Cell> row;
  for (;;) {
    auto more = (*rows)->next(row);
    EXPECT_TRUE(more) << more.error().what;
    if (!more || !*more) return found;
    found.push_back({row[0].i64(), row[1].u64(), row[2].f64(), std::string(row[3].text), std::string(row[4].text)});
  }
}

std::size_t trailer_bytes(const std::vector<std::byte>& log) {
  auto reader = Reader::open(from_memory(log));
  return static_cast<std::size_t>((*reader)->trailer()->extent().length);
}

std::vector<Row> random_rows(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  const double reals[] = {0, -0.0, 0.5, -3, 0x1p-20 * 12345, 1e300, 5e-324, std::nan(""), HUGE_VAL, 0.1};
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (!rows.empty() && random() % 3 == 0) {
      rows.push_back(rows.back());
      continue;
    }
    Row row{static_cast<std::int64_t>(random() >> random() % 64), random() >> random() % 64,
            reals[random() % (seed % 2 == 0 ? 5 : 10)], std::string(random() % 40, 'x'),
            std::string(random() % 7 == 0 ? 3000 : random() % 9, 'y')};
    if (random() % 4 == 0) row.t = kCommand.substr(random() % 12, random() % 40);
    if (random() % 8 == 0) row.b = kCommand;
    rows.push_back(row);
  }
  return rows;
}

TEST(RowsOfATrailer, ComeBackWhateverTheMemory) {
  for (const std::size_t memory : {0, 8, 40, 100, 1000, 5000, 65536}) {
    for (const std::size_t count : {0, 1, 2, 7, 500}) {
      const auto rows = random_rows(count, static_cast<unsigned>(memory + count));
      EXPECT_EQ(read_back(log_of(rows, memory)), rows) << memory << " bytes, " << count << " rows";
    }
  }
}

TEST(RowsOfATrailer, ComeBackFromManyGroups) {
  std::vector<Row> rows(3 * kMostGroupRows + 5);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {7, i / 10, 0.25 * static_cast<double>(i), "same", ""};
  EXPECT_EQ(read_back(log_of(rows, 1 << 20)), rows);
}

TEST(RowsOfATrailer, ThatAreAlikeTakeNoSpace) {
  std::vector<Row> rows(1000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<std::int64_t>(i), 9, 0.5, "host", "program"};
  const std::size_t one = trailer_bytes(log_of({rows[0]}, 65536)), all = trailer_bytes(log_of(rows, 65536));
  EXPECT_LT(all, one + 16);
}

TEST(RowsOfATrailer, ReferToTheCommandOfTheJob) {
  const std::size_t other = trailer_bytes(log_of({{0, 0, 0, "another text of about as many let", ""}}, 65536));
  for (const std::string_view text : {kCommand, kCommand.substr(2), kCommand.substr(1, 25)}) {
    const std::vector<Row> rows = {{0, 0, 0, std::string(text), ""}};
    const auto log = log_of(rows, 65536);
    EXPECT_LT(trailer_bytes(log) + 20, other) << text;
    EXPECT_EQ(read_back(log), rows);
  }
}

TEST(RowsOfATrailer, ThatReferToMoreThanTheCommandHasAreDamaged) {
  const auto source = from_memory(log_of({{0, 0, 0, std::string(kCommand), ""}}, 65536));
  const auto trailer = Trailer::read(*source, 0, {}, kCommand.substr(0, kCommand.size() - 1));
  ASSERT_TRUE(trailer && *trailer);
  auto rows = (*trailer)->rows((*trailer)->sections().front());
  ASSERT_TRUE(rows);
  std::span<const Cell> row;
  const auto next = (*rows)->next(row);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, ErrorCode::kDamaged);
}

// Lines are referred to by their numbers: what is written with them must be readable for ever. Whoever adds lines may add
// another sum here; those that are here stay.
TEST(KnownLines, AreAddedButNeverChanged) {
  std::size_t lines = 0;
  for (std::string_view list = known_lines(); !list.empty(); ++lines) {
    const KnownLine line = KnownLine::take(list);
    EXPECT_FALSE(line.name.empty());
    LineFinder finder;
    EXPECT_LE(finder.find(line), lines);
  }
  constexpr std::size_t kFirst = 133;
  EXPECT_GE(lines, kFirst);
  std::string_view rest = known_lines();
  for (std::size_t i = 0; i < kFirst; ++i) (void)KnownLine::take(rest);
  const std::string_view first = known_lines().substr(0, known_lines().size() - rest.size());
  EXPECT_EQ(crc32c(std::as_bytes(std::span{first})), 0xec66ce4bU);
}

TEST(KnownLines, AreFoundOneBehindTheOther) {
  LineFinder finder;
  EXPECT_EQ(finder.find({"section", "processes", "", "every process of the job"}), 0U);
  EXPECT_EQ(finder.next(), 1U);
  EXPECT_EQ(finder.find({"i64", "pid", "", "process id"}), 1U);
  EXPECT_EQ(finder.find({"i64", "pid", "", "another help"}), LineFinder::kUnknown);
  EXPECT_EQ(finder.next(), 2U);
}

}  // namespace
}  // namespace trikal::log
