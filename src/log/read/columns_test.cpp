#include "log/read/columns.hpp"

#include <bit>
#include <map>

#include "log/read/sample_log_test.hpp"

namespace trikal::log {
namespace {

using Row = std::vector<std::string>;

std::string cell(const ColumnData& column, std::size_t row) {
  switch (column.type) {
    case CellType::kI64: return std::to_string(static_cast<std::int64_t>(column.words[row]));
    case CellType::kU64: return std::to_string(column.words[row]);
    case CellType::kF64: return std::to_string(std::bit_cast<double>(column.words[row]));
    case CellType::kText: return column.has(row) ? std::string(column.text_at(row)) : "NULL";
  }
  return "";
}

TableInfo find_table(Reader& reader, std::string_view name, const TableOptions& options) {
  for (TableInfo& table : tables_of(reader, options)) {
    if (table.name == name) return std::move(table);
  }
  ADD_FAILURE() << "no table " << name;
  return {};
}

// The wanted columns of every row of a table.
std::vector<Row> rows_of(Reader& reader, std::string_view name, const std::vector<std::string>& columns,
                         const TableOptions& options = {}) {
  const TableInfo table = find_table(reader, name, options);
  auto stream = open_table(reader, table, options);
  EXPECT_TRUE(stream);
  std::vector<Row> rows;
  Chunk chunk;
  for (;;) {
    auto more = (*stream)->next(chunk);
    EXPECT_TRUE(more);
    if (!more || !*more) return rows;
    EXPECT_LE(chunk.rows(), options.rows);
    for (const ColumnData& column : chunk.columns()) EXPECT_EQ(column.rows(), chunk.rows());
    for (std::size_t i = 0; i < chunk.rows(); ++i) {
      Row row;
      for (const std::string& column : columns) row.push_back(cell(chunk.columns()[table.find(column)], i));
      rows.push_back(row);
    }
  }
}

TEST(Columns, EveryModuleAndTheLogItselfHaveTables) {
  const SampleLog log;
  std::vector<std::string> names;
  for (const TableInfo& table : tables_of(*log.open(), {})) names.push_back(table.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"job", "metadata", "mounts", "modules", "columns", "names", "posix", "lustre",
                                      "lustre_components", "lustre_stripes", "dxt_posix", "dxt_posix_segments", "mdhim",
                                      "mdhim_servers", "apmpi", "apmpi_header", "heatmap", "heatmap_bins", "damage"}));
}

TEST(Columns, ModulesAreNamedWithoutPunctuation) {
  EXPECT_EQ(tables_of(*find_module("MPI-IO"), {}).front().name, "mpiio");
  EXPECT_EQ(tables_of(*find_module("BG/Q"), {}).front().name, "bgq");
  EXPECT_EQ(tables_of(*find_module("PNETCDF_VAR"), {}).front().name, "pnetcdf_var");
}

TEST(Columns, NoTwoColumnsOfATableHaveTheSameName) {
  for (const ModuleFormat* module : all_modules()) {
    for (const TableInfo& table : tables_of(*module, {})) {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        EXPECT_EQ(table.find(table.columns[i].name), i) << table.name << "." << table.columns[i].name;
      }
    }
  }
}

TEST(Columns, RecordsHaveCountersAndNames) {
  const SampleLog log;
  const auto reader = log.open();
  const auto rows = rows_of(
      *reader, "posix",
      {"record_id", "rank", "name", "mount", "fs_type", "POSIX_OPENS", "POSIX_BYTES_WRITTEN", "POSIX_F_READ_TIME"});
  EXPECT_EQ(rows, (std::vector<Row>{
                      {std::to_string(kFirstId), "-1", "/scratch/first", "/scratch", "lustre", "1", "0", "0.500000"},
                      {"22", "0", "/scratch/caf\xef\xbf\xbd, \"b\"", "/scratch", "lustre", "2", "100", "1.000000"},
                      {"33", "1", "NULL", "NULL", "NULL", "3", "200", "1.500000"}}));
}

TEST(Columns, RawTextIsTheLogsBytes) {
  const SampleLog log;
  const auto rows = rows_of(*log.open(), "posix", {"name"}, {.text = Chunk::Text::kRaw});
  EXPECT_EQ(rows[1][0], kOddName);
}

TEST(Columns, NamesCanBeLeftOut) {
  const SampleLog log;
  const auto reader = log.open();
  const TableOptions records{.names = NameColumns::kRecords};
  EXPECT_EQ(find_table(*reader, "posix", records).columns[2].name, "name");
  EXPECT_EQ(find_table(*reader, "heatmap_bins", records).columns[2].name, "bin");
  EXPECT_EQ(find_table(*reader, "posix", {.names = NameColumns::kNone}).columns[2].name, "POSIX_OPENS");
  EXPECT_EQ(rows_of(*reader, "posix", {"rank", "POSIX_OPENS"}, {.names = NameColumns::kNone}),
            (std::vector<Row>{{"-1", "1"}, {"0", "2"}, {"1", "3"}}));
}

TEST(Columns, ChunksAreCutAnywhere) {
  const SampleLog log(1000);
  const auto reader = log.open();
  const auto all = rows_of(*reader, "posix", {"record_id", "rank", "name"});
  ASSERT_EQ(all.size(), 1000U);
  EXPECT_EQ(all.back(), (Row{"1999", "998", "NULL"}));
  for (const std::size_t size : {1UL, 7UL, 371UL, 999UL}) {
    EXPECT_EQ(rows_of(*reader, "posix", {"record_id", "rank", "name"}, {.rows = size}), all) << size;
  }
  const auto segments = rows_of(*reader, "dxt_posix_segments", {"segment", "offset"});
  EXPECT_EQ(rows_of(*reader, "dxt_posix_segments", {"segment", "offset"}, {.rows = 2}), segments);
  EXPECT_EQ(rows_of(*reader, "lustre_stripes", {"component", "ost"}, {.rows = 1}),
            rows_of(*reader, "lustre_stripes", {"component", "ost"}));
}

TEST(Columns, TracesAreSegments) {
  const SampleLog log;
  const auto reader = log.open();
  EXPECT_EQ(rows_of(*reader, "dxt_posix", {"hostname", "write_count", "read_count"}),
            (std::vector<Row>{{"node7", "2", "3"}}));
  const auto rows = rows_of(
      *reader, "dxt_posix_segments",
      {"rank", "name", "hostname", "direction", "segment", "offset", "length", "start_time", "end_time", "thread"});
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[1], (Row{"4", "/scratch/first", "node7", "write", "1", "1000", "11", "1.000000", "1.500000",
                          std::to_string(0xff00000000000001U)}));
  EXPECT_EQ(rows[2], (Row{"4", "/scratch/first", "node7", "read", "0", "2000", "12", "2.000000", "2.500000",
                          std::to_string(0xff00000000000002U)}));
}

TEST(Columns, ListsInRecordsAreTables) {
  const SampleLog log;
  const auto reader = log.open();
  EXPECT_EQ(rows_of(*reader, "lustre_components", {"component", "LUSTRE_COMP_STRIPE_SIZE", "pool_name"}),
            (std::vector<Row>{{"1", "1048576", "fast"}, {"2", "2097152", ""}}));
  EXPECT_EQ(rows_of(*reader, "lustre_stripes", {"component", "stripe", "ost"}),
            (std::vector<Row>{{"1", "0", "70"}, {"1", "1", "71"}, {"2", "0", "72"}}));
  EXPECT_EQ(rows_of(*reader, "heatmap_bins", {"rank", "bin", "start_time", "width", "read_bytes", "write_bytes"}),
            (std::vector<Row>{{"2", "0", "0.000000", "0.500000", "62", "60"},
                              {"2", "1", "0.500000", "0.500000", "63", "61"}}));
  EXPECT_EQ(rows_of(*reader, "mdhim_servers", {"server", "operations"}), (std::vector<Row>{{"0", "81"}, {"1", "82"}}));
}

TEST(Columns, HeadersAndMeasurementsAreApart) {
  const SampleLog log;
  const auto reader = log.open();
  EXPECT_EQ(rows_of(*reader, "apmpi_header", {"record_id", "sync_flag", "MPI_TOTAL_COMM_TIME_VARIANCE"}),
            (std::vector<Row>{{"5", "1", "0.250000"}}));
  EXPECT_EQ(rows_of(*reader, "apmpi", {"record_id", "rank", "name", "node_name", "MPI_SEND_CALL_COUNT"}),
            (std::vector<Row>{{"6", "3", "NULL", "node8", "91"}}));
}

TEST(Columns, TheLogDescribesItself) {
  const SampleLog log;
  const auto reader = log.open();
  EXPECT_EQ(rows_of(*reader, "job", {"job_id", "uid", "nprocs", "run_time", "exe", "log_version", "compression"}),
            (std::vector<Row>{{"77", "1000", "8", "2.000000", "./app --fast", "3.41", "zlib"}}));
  EXPECT_EQ(rows_of(*reader, "metadata", {"key", "value"}), (std::vector<Row>{{"lib_ver", "3.5.0"}, {"h", "a=b"}}));
  EXPECT_EQ(rows_of(*reader, "mounts", {"mount", "fs_type"}), (std::vector<Row>{{"/scratch", "lustre"}}));
  EXPECT_EQ(rows_of(*reader, "names", {"record_id", "fs_type"}),
            (std::vector<Row>{{std::to_string(kFirstId), "lustre"}, {"22", "lustre"}, {"7", "NULL"}}));
  EXPECT_TRUE(rows_of(*reader, "damage", {}).empty());
  const auto columns = rows_of(*reader, "columns", {"table_name", "column_name", "type", "unit"});
  EXPECT_EQ(std::ranges::count(columns, Row{"posix", "POSIX_F_READ_TIME", "float64", "seconds"}), 1);
}

}  // namespace
}  // namespace trikal::log
