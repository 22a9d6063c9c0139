#include "log/read/trailer_tables.hpp"

#include <algorithm>
#include <cctype>

#include "log/read/log_tables.hpp"
#include "log/trailer/segment_threads.hpp"
#include "log/trailer/streams.hpp"

namespace trikal::log {
namespace {

constexpr std::size_t kLongestName = 64;

bool helps_reading_only(const Section& section) {
  return section.name == kStreamsSection.name || section.name == kSegmentThreadsSection.name;
}

// Names come from the file and become file names and SQL: letters, digits and _ only, and none twice.
template <class Taken>
std::string safe_name(std::string_view name, const Taken& taken) {
  std::string safe;
  for (const char c : name.substr(0, kLongestName)) {
    safe += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '_';
  }
  if (safe.empty() || std::isdigit(static_cast<unsigned char>(safe.front())) != 0) safe.insert(0, "t_");
  std::string unique = safe;
  for (int i = 2; taken(unique); ++i) unique = safe + "_" + std::to_string(i);
  return unique;
}

Unit unit_of(std::string_view word) {
  if (word == kUnitRecordId) return Unit::kId;
  if (word == kUnitRank) return Unit::kRank;
  if (word == kUnitTimestamp) return Unit::kTimestamp;
  if (word == kUnitBytes) return Unit::kBytes;
  if (word == "calls") return Unit::kCalls;
  return word == "seconds" ? Unit::kSeconds : Unit::kNone;
}

CellType type_of(ColumnType type) {
  switch (type) {
    case ColumnType::kI64: return CellType::kI64;
    case ColumnType::kU64: return CellType::kU64;
    case ColumnType::kF64: return CellType::kF64;
    case ColumnType::kText:
    case ColumnType::kBytes: break;
  }
  return CellType::kText;
}

// The column that says which file a row is about, or the number of columns.
std::size_t record_column(const Section& section) {
  const auto at = std::ranges::find(section.columns, kUnitRecordId, &Section::ColumnText::unit);
  const auto index = static_cast<std::size_t>(at - section.columns.begin());
  return index < section.columns.size() && at->type == ColumnType::kU64 ? index : section.columns.size();
}

bool is_named(const Section& section, const TableOptions& options) {
  return options.names != NameColumns::kNone && record_column(section) < section.columns.size();
}

TableInfo table_of(const Section& section, std::string name, const TableOptions& options) {
  TableInfo table{.name = std::move(name), .help = section.help, .section = section.name};
  const auto taken = [&](const std::string& column) { return table.find(column) < table.columns.size(); };
  if (is_named(section, options)) {
    table.columns.push_back({"name", CellType::kText, Unit::kNone, "the file the row is about", true});
  }
  for (const Section::ColumnText& column : section.columns) {
    table.columns.push_back({safe_name(column.name, taken), type_of(column.type), unit_of(column.unit), column.help});
  }
  return table;
}

std::string hexadecimal(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

class SectionTable final : public TableStream {
 public:
  SectionTable(const TableInfo& table, const TableOptions& options, const Section& section, const NameTable* names,
               std::unique_ptr<SectionRows> rows)
      : types_(types_of(table)),
        options_(options),
        names_(names),
        record_column_(record_column(section)),
        rows_(std::move(rows)) {}

  Result<bool> next(Chunk& chunk) override {
    chunk.reset(types_, options_.text);
    std::span<const Cell> row;
    while (rows_ != nullptr && chunk.rows() < options_.rows && chunk.text_bytes() < kChunkText) {
      auto more = rows_->next(row);
      if (!more) return more.error();
      if (!*more) break;
      add(chunk, row);
    }
    if (chunk.overflowed()) return Error{.code = ErrorCode::kLimit, .what = "a text is too long for a table"};
    return chunk.rows() > 0;
  }

 private:
  void add(Chunk& chunk, std::span<const Cell> row) const {
    std::size_t column = 0;
    if (names_ != nullptr) {
      const NameTable::Entry* entry = names_->find(row[record_column_].u64());
      if (entry != nullptr) chunk.add_text(column++, names_->text(*entry));
      else chunk.add_missing(column++);
    }
    for (const Cell& cell : row) {
      if (cell.type == ColumnType::kText) chunk.add_text(column++, cell.text);
      else if (cell.type == ColumnType::kBytes) chunk.add_text(column++, hexadecimal(cell.text));
      else chunk.add_word(column++, cell.word);
    }
  }

  std::vector<CellType> types_;
  TableOptions options_;
  const NameTable* names_;  // null: rows are not named
  std::size_t record_column_;
  std::unique_ptr<SectionRows> rows_;  // null: nothing to show
};

}  // namespace

void add_trailer_tables(Reader& reader, std::vector<TableInfo>& tables, const TableOptions& options) {
  const Trailer* trailer = reader.trailer();
  if (trailer == nullptr) return;
  const auto taken = [&](const std::string& name) {
    return name == damage_table().name || std::ranges::find(tables, name, &TableInfo::name) != tables.end();
  };
  for (const Section& section : trailer->sections()) {
    if (!helps_reading_only(section)) tables.push_back(table_of(section, safe_name(section.name, taken), options));
  }
}

Result<std::unique_ptr<TableStream>> open_trailer_table(Reader& reader, const TableInfo& table,
                                                        const TableOptions& options) {
  const Section* section = reader.trailer() != nullptr ? reader.trailer()->find(table.section) : nullptr;
  if (section == nullptr) return Error{.code = ErrorCode::kMissing, .what = "the log has no such section"};
  const NameTable* names = nullptr;
  if (is_named(*section, options)) {
    auto read = reader.names();
    if (!read) return read.error();
    names = *read;
  }
  std::unique_ptr<SectionRows> rows;  // null: damaged, and the reader was told to go on
  if (auto opened = reader.trailer()->rows(*section)) {
    rows = std::move(*opened);
  } else if (const Status tolerated = reader.tolerate("trailer", opened.error()); !tolerated) {
    return tolerated.error();
  }
  std::unique_ptr<TableStream> stream =
      std::make_unique<SectionTable>(table, options, *section, names, std::move(rows));
  return stream;
}

}  // namespace trikal::log
