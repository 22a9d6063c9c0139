#include "log/read/trailer_tables.hpp"

#include "log/write/temp_log_test.hpp"

namespace trikal::log {
namespace {

constexpr Column kColumns[] = {
    {"record", ColumnType::kU64, kUnitRecordId, "which file"},
    {"Name", ColumnType::kText, "", "a text"},
    {"name", ColumnType::kBytes, "", "bytes"},
    {"", ColumnType::kF64, kUnitTimestamp, "when"},
};
constexpr SectionSchema kHostile = {"../POSIX/x", "a name that is no file name", kColumns};
constexpr SectionSchema kTaken = {"job", "a name the log itself has", kColumns};

Status put_sections(Writer& writer) {
  TrailerWriter& trailer = *writer.trailer();
  for (const SectionSchema& section : {kHostile, kTaken}) {
    EXPECT_TRUE(trailer.begin_section(section));
    for (const std::uint64_t id : {7, 8}) {
      EXPECT_TRUE(trailer.put_u64(id));
      EXPECT_TRUE(trailer.put_text("text"));
      EXPECT_TRUE(trailer.put_bytes(std::as_bytes(std::span("\x01\xfe", 2))));
      EXPECT_TRUE(trailer.put_f64(0.5));
    }
    EXPECT_TRUE(trailer.end_section());
  }
  return {};
}

std::unique_ptr<Reader> make_log() {
  const TempFolder folder;
  write_log(folder.file("log"), {.names = {{7, "/seven"}}, .sections = put_sections});
  return read_log(folder.file("log"));
}

std::vector<TableInfo> trailer_tables(Reader& reader, const TableOptions& options) {
  std::vector<TableInfo> tables = tables_of(reader, options);
  std::erase_if(tables, [](const TableInfo& table) { return table.section.empty(); });
  return tables;
}

TEST(TrailerTables, NamesAreSafeAndUnique) {
  const auto reader = make_log();
  const auto tables = trailer_tables(*reader, {});
  ASSERT_EQ(tables.size(), 2U);  // the index of streams is not shown
  EXPECT_EQ(tables[0].name, "___posix_x");
  EXPECT_EQ(tables[1].name, "job_2");
  std::vector<std::string> columns;
  for (const ColumnInfo& column : tables[0].columns) columns.push_back(column.name);
  EXPECT_EQ(columns, (std::vector<std::string>{"name", "record", "name_2", "name_3", "t_"}));
}

TEST(TrailerTables, RowsCarryTheNameOfTheirFile) {
  const auto reader = make_log();
  const TableInfo table = trailer_tables(*reader, {})[0];
  auto rows = open_table(*reader, table, {});
  ASSERT_TRUE(rows);
  Chunk chunk;
  auto more = (*rows)->next(chunk);
  ASSERT_TRUE(more && *more);
  ASSERT_EQ(chunk.rows(), 2U);
  EXPECT_EQ(chunk.columns()[0].text_at(0), "/seven");
  EXPECT_FALSE(chunk.columns()[0].has(1));
  EXPECT_EQ(chunk.columns()[1].words, (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(chunk.columns()[3].text_at(0), "01fe");
  more = (*rows)->next(chunk);
  EXPECT_TRUE(more && !*more);
}

TEST(TrailerTables, WithoutNames) {
  const auto reader = make_log();
  const TableOptions options{.names = NameColumns::kNone};
  EXPECT_EQ(trailer_tables(*reader, options)[0].columns.front().name, "record");
}

}  // namespace
}  // namespace trikal::log
