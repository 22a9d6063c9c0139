#include "log/read/log_tables.hpp"

#include "modules/list.hpp"

namespace trikal::log {
namespace {

using enum CellType;

constexpr TableColumn kJobColumns[] = {
    {"job_id", kI64, Unit::kNone, "the batch system's number"},
    {"uid", kI64, Unit::kNone, "the user"},
    {"nprocs", kI64, Unit::kNone, "processes of the job"},
    {"start_sec", kI64, Unit::kNone, "when it began, seconds since 1970"},
    {"start_nsec", kI64, Unit::kNone, "nanoseconds to add to that"},
    {"end_sec", kI64, Unit::kNone, "when it ended, seconds since 1970"},
    {"end_nsec", kI64, Unit::kNone, "nanoseconds to add to that"},
    {"run_time", kF64, Unit::kSeconds, "how long it ran"},
    {"exe", kText, Unit::kNone, "the command line"},
    {"log_version", kText, Unit::kNone, "version of the log's format"},
    {"compression", kText, Unit::kNone, "zlib, bzip2 or none"},
};

std::string_view codec_name(Codec codec) {
  switch (codec) {
    case Codec::kZlib: return "zlib";
    case Codec::kBzip2: return "bzip2";
    case Codec::kNone: return "none";
  }
  return "";
}

void add_int(Chunk& chunk, std::size_t column, std::int64_t value) {
  chunk.add_word(column, static_cast<std::uint64_t>(value));
}

void fill_job(Reader& reader, const TableOptions& /*options*/, Chunk& chunk) {
  const Job& job = reader.job();
  const std::int64_t numbers[] = {job.job_id,     job.uid,     job.nprocs,  job.start_sec,
                                  job.start_nsec, job.end_sec, job.end_nsec};
  std::size_t column = 0;
  for (const std::int64_t number : numbers) add_int(chunk, column++, number);
  chunk.add_real(column++, job.run_time());
  chunk.add_text(column++, job.exe);
  const std::string_view version(reader.header().version.data(), kVersionText);
  chunk.add_text(column++, version.substr(0, version.find('\0')));
  chunk.add_text(column, codec_name(reader.header().codec));
}

constexpr TableColumn kMetadataColumns[] = {
    {"key", kText, Unit::kNone, "what it is about"},
    {"value", kText, Unit::kNone, "what it says"},
};

void fill_metadata(Reader& reader, const TableOptions& /*options*/, Chunk& chunk) {
  for (const auto& [key, value] : reader.job().metadata_pairs()) {
    chunk.add_text(0, key);
    chunk.add_text(1, value);
  }
}

constexpr TableColumn kMountColumns[] = {
    {"mount", kText, Unit::kNone, "where the file system is mounted"},
    {"fs_type", kText, Unit::kNone, "its kind"},
};

void fill_mounts(Reader& reader, const TableOptions& /*options*/, Chunk& chunk) {
  for (const Mount& mount : reader.job().mounts) {
    chunk.add_text(0, mount.path);
    chunk.add_text(1, mount.type);
  }
}

constexpr TableColumn kModuleColumns[] = {
    {"module_id", kI64, Unit::kNone, "its number in logs"},
    {"name", kText, Unit::kNone, "its name; missing if nobody knows it"},
    {"version", kI64, Unit::kNone, "version of its records in this log"},
    {"compressed_bytes", kI64, Unit::kBytes, "size of its data in the log"},
    {"partial", kI64, Unit::kFlag, "1: the runtime ran out of memory for it, records are missing"},
    {"readable", kI64, Unit::kFlag, "0: a module or version this program does not know"},
    {"help", kText, Unit::kNone, "what it observes"},
};

void fill_modules(Reader& reader, const TableOptions& /*options*/, Chunk& chunk) {
  const Header& header = reader.header();
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    if (header.modules[i].length == 0 && !header.is_partial(i)) continue;
    const ModuleFormat* format = find_module(static_cast<ModuleId>(i));
    chunk.add_word(0, i);
    if (format != nullptr) chunk.add_text(1, format->schema->name);
    else chunk.add_missing(1);
    chunk.add_word(2, header.module_versions[i]);
    chunk.add_word(3, header.modules[i].length);
    chunk.add_word(4, header.is_partial(i) ? 1 : 0);
    chunk.add_word(5, format != nullptr && format->form(header.module_versions[i]) != nullptr ? 1 : 0);
    chunk.add_text(6, format != nullptr ? format->schema->help : "");
  }
}

constexpr TableColumn kColumnColumns[] = {
    {"table_name", kText, Unit::kNone, "the table"},
    {"column_name", kText, Unit::kNone, "the column"},
    {"type", kText, Unit::kNone, "int64, uint64, float64 or text"},
    {"unit", kText, Unit::kNone, "what is counted"},
    {"help", kText, Unit::kNone, "what it means"},
};

void fill_columns(Reader& reader, const TableOptions& options, Chunk& chunk) {
  for (const TableInfo& table : tables_of(reader, options)) {
    for (const ColumnInfo& column : table.columns) {
      chunk.add_text(0, table.name);
      chunk.add_text(1, column.name);
      chunk.add_text(2, type_name(column.type));
      chunk.add_text(3, unit_name(column.unit));
      chunk.add_text(4, column.help);
    }
  }
}

constexpr TableColumn kNameColumns[] = {
    {"record_id", kU64, Unit::kId, "id of the records with this name"},
    {"name", kText, Unit::kNone, "the file, or what else a record is about"},
    {"mount", kText, Unit::kNone, "where the file system it is on is mounted; missing if unknown"},
    {"fs_type", kText, Unit::kNone, "the kind of that file system; missing if unknown"},
};

constexpr TableColumn kDamageColumns[] = {
    {"part", kText, Unit::kNone, "part of the log"},
    {"severity", kText, Unit::kNone, "note: nothing is lost; loss: something could not be read"},
    {"file_offset", kI64, Unit::kOffset, "byte of the log it is about; -1 if none"},
    {"what", kText, Unit::kNone, "what is wrong"},
    {"salvaged", kI64, Unit::kNone, "records read before it"},
};

void fill_damage(Reader& reader, const TableOptions& /*options*/, Chunk& chunk) {
  for (const Damage& damage : reader.damage()) {
    chunk.add_text(0, damage.where);
    chunk.add_text(1, damage.severity == Damage::Severity::kNote ? "note" : "loss");
    static_assert(Error::kNoOffset == ~std::uint64_t{0});  // -1 as a signed number
    chunk.add_word(2, damage.error.offset);
    chunk.add_text(3, damage.error.what);
    chunk.add_word(4, damage.salvaged);
  }
}

constexpr LogTable kLeading[] = {
    {"job", "the job, one row", kJobColumns, 0, fill_job},
    {"metadata", "what the runtime or the user noted about the job", kMetadataColumns, 0, fill_metadata},
    {"mounts", "mounted file systems, longest path first", kMountColumns, 0, fill_mounts},
    {"modules", "modules of the log", kModuleColumns, 1U << 1, fill_modules},
    {"columns", "what every column of every table means", kColumnColumns, 0, fill_columns},
    {"names", "names of records", kNameColumns, (1U << 2) | (1U << 3), nullptr},
};
constexpr LogTable kDamage = {"damage", "what is wrong with the log", kDamageColumns, 0, fill_damage};

class SmallTable final : public TableStream {
 public:
  SmallTable(Reader& reader, const TableInfo& table, const TableOptions& options)
      : reader_(reader), table_(*table.own), types_(types_of(table)), options_(options) {}

  Result<bool> next(Chunk& chunk) override {
    chunk.reset(types_, options_.text);
    if (!done_) table_.fill(reader_, options_, chunk);
    done_ = true;
    return chunk.rows() > 0;
  }

 private:
  Reader& reader_;
  const LogTable& table_;
  std::vector<CellType> types_;
  TableOptions options_;
  bool done_ = false;
};

class NamesTable final : public TableStream {
 public:
  NamesTable(Reader& reader, const TableInfo& table, const TableOptions& options)
      : reader_(reader), types_(types_of(table)), options_(options) {}

  Result<bool> next(Chunk& chunk) override {
    auto names = reader_.names();
    if (!names) return names.error();
    chunk.reset(types_, options_.text);
    const auto& entries = (*names)->entries();
    while (at_ < entries.size() && chunk.rows() < options_.rows && chunk.text_bytes() < kChunkText) {
      const std::string_view name = (*names)->text(entries[at_]);
      const Mount* mount = reader_.job().mount_of(name);
      chunk.add_word(0, entries[at_++].id);
      chunk.add_text(1, name);
      add(chunk, 2, mount != nullptr ? &mount->path : nullptr);
      add(chunk, 3, mount != nullptr ? &mount->type : nullptr);
    }
    if (chunk.overflowed()) return Error{.code = ErrorCode::kLimit, .what = "a name is too long for a table"};
    return chunk.rows() > 0;
  }

 private:
  static void add(Chunk& chunk, std::size_t column, const std::string* text) {
    if (text != nullptr) chunk.add_text(column, *text);
    else chunk.add_missing(column);
  }

  Reader& reader_;
  std::vector<CellType> types_;
  TableOptions options_;
  std::size_t at_ = 0;
};

}  // namespace

std::span<const LogTable> leading_log_tables() { return kLeading; }
const LogTable& damage_table() { return kDamage; }

std::unique_ptr<TableStream> open_log_table(Reader& reader, const TableInfo& table, const TableOptions& options) {
  if (table.own->fill == nullptr) return std::make_unique<NamesTable>(reader, table, options);
  return std::make_unique<SmallTable>(reader, table, options);
}

std::vector<CellType> types_of(const TableInfo& table) {
  std::vector<CellType> types;
  types.reserve(table.columns.size());
  for (const ColumnInfo& column : table.columns) types.push_back(column.type);
  return types;
}

}  // namespace trikal::log
