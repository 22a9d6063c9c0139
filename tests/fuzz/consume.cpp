#include "fuzz/consume.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "log/read/columns.hpp"
#include "report/arrow/arrow_export.hpp"
#include "report/csv/csv.hpp"
#include "report/json/json_export.hpp"
#include "report/perfetto/perfetto.hpp"
#include "report/text/dxt.hpp"
#include "report/text/listing.hpp"
#include "report/text/log_header.hpp"

namespace trikal::fuzz {
namespace {

class NoNotices final : public report::Notices {
 public:
  void notice(std::string_view /*sentence*/) override {}
};

class NoProgress final : public report::Progress {
 public:
  void at(std::string_view /*table*/, std::uint64_t /*rows*/) override {}
};

class NullOutput final : public report::TableOutput {
 public:
  explicit NullOutput(NullSink& sink) : sink_(sink) {}
  Result<report::Sink*> open(const std::string& /*table*/) override { return &sink_; }
  Status close() override { return {}; }

 private:
  NullSink& sink_;
};

// Columns as the C library hands them on: as many values in each, offsets that never go back, a bit for each row.
void check_chunk(const log::TableInfo& table, const Chunk& chunk) {
  const auto must = [](bool holds) {
    if (!holds) std::abort();
  };
  must(chunk.columns().size() == table.columns.size());
  for (const ColumnData& column : chunk.columns()) {
    must(column.rows() == chunk.rows());
    if (column.type != CellType::kText) continue;
    must(column.offsets.front() == 0 && std::ranges::is_sorted(column.offsets));
    must(static_cast<std::size_t>(column.offsets.back()) == column.text.size());
    must(column.missing == 0 || column.present.size() * 8 >= column.rows());
  }
}

class Consumer {
 public:
  Consumer(log::Reader& reader, Tools tools) : reader_(reader), tools_(tools) {}

  Consumed run() {
    result_.opened = true;
    report::write_log_header(sink_, reader_);
    timed("names", [this] { read_names(); });
    timed("trailer", [this] { read_trailer(); });
    timed("records", [this] { read_modules(); });
    if (tools_.choice != Tools::kNone)
      timed("parse", [this] {
        keep(report::write_listing(sink_, reader_, {.base = true, .total = true, .file = true, .perf = true}, none_));
      });
    if (tools_.wants(0)) {
      timed("dxt", [this] { keep(report::write_traces(sink_, reader_, {}, none_)); });
      timed("dxt --threads", [this] { keep(report::write_traces(sink_, reader_, {.threads = true}, none_)); });
    }
    if (tools_.wants(1)) timed("columns", [this] { read_tables(); });
    if (tools_.choice != Tools::kNone) export_tables();
    for (const log::Damage& damage : reader_.damage()) {
      if (damage.severity == log::Damage::Severity::kLoss) ++result_.losses;
      if (damage.error.code == ErrorCode::kNone || damage.error.what[0] == '\0') std::abort();  // without a word
    }
    result_.text = sink_.written();
    return result_;
  }

 private:
  template <class Work>
  void timed(const char* tool, Work work) {
    const double begin = processor_seconds();
    work();
    const double seconds = processor_seconds() - begin;
    if (seconds > result_.slowest) result_.slowest = seconds, result_.slowest_tool = tool;
  }

  void keep(const Status& status) {
    if (status) return;
    const Error& error = status.error();
    if (error.code == ErrorCode::kNone || error.what[0] == '\0') std::abort();  // an error that says nothing
    if (result_.error.code == ErrorCode::kNone && error.code != ErrorCode::kMissing) result_.error = error;
  }

  void read_names() {
    auto names = reader_.names();
    if (!names) return keep(names.error());
    result_.names = (*names)->entries().size();
    for (const auto& entry : (*names)->entries()) {
      if ((*names)->find(entry.id) != &entry) std::abort();
    }
  }

  // Damage of the trailer is the reader's to tell; damage of a section comes with its rows.
  void read_trailer() {
    const log::Trailer* trailer = reader_.trailer();
    if (trailer == nullptr) return;
    for (const log::Section& section : trailer->sections()) {
      auto rows = trailer->rows(section);
      if (!rows) {
        keep(rows.error());
        continue;
      }
      std::span<const log::Cell> row;
      for (;;) {
        auto more = (*rows)->next(row);
        if (!more) keep(more.error());
        if (!more || !*more) break;
        if (row.size() != section.columns.size()) std::abort();
        for (const log::Cell& cell : row) touch(std::as_bytes(std::span(cell.text)));
      }
    }
  }

  void read_modules() {
    for (std::size_t i = 0; i < kModuleSlots; ++i) {
      auto records = reader_.records(static_cast<ModuleId>(i));
      if (records) result_.records[i] = read_module(**records);
      else if (records.error().code != ErrorCode::kUnsupported) keep(records.error());  // the listing judges those
    }
  }

  std::uint64_t read_module(log::RecordStream& records) {
    log::Batch batch;
    std::uint64_t handed_out = 0;
    for (;;) {
      auto more = records.next(batch);
      if (!more) keep(more.error());
      if (!more || !*more) return handed_out;
      if (batch.first_item == 0) handed_out += batch.count;
      touch(batch.bytes), touch(batch.items);
    }
  }

  void read_tables() {
    const log::TableOptions options{.names = log::NameColumns::kAll, .text = Chunk::Text::kUtf8, .rows = 1000};
    Chunk chunk;
    for (const log::TableInfo& table : log::tables_of(reader_, options)) {
      auto rows = log::open_table(reader_, table, options);
      if (!rows) {
        keep(rows.error());
        continue;
      }
      for (;;) {
        auto more = (*rows)->next(chunk);
        if (!more) keep(more.error());
        if (!more || !*more) break;
        check_chunk(table, chunk);
      }
    }
  }

  void export_tables() {
    const log::TableOptions options{.names = log::NameColumns::kRecords, .text = Chunk::Text::kRaw};
    const std::vector<log::TableInfo> tables = log::tables_of(reader_, options);
    NoProgress progress;
    NullOutput output(sink_);
    report::CsvWriter csv(output);
    report::JsonExport json(output, "fuzz");
    report::ArrowExport arrow(output);
    const auto write = [&](const char* tool, report::TableWriter& writer) {
      timed(tool, [&] { keep(report::write_tables(reader_, tables, options, writer, progress).read); });
    };
    if (tools_.wants(2)) write("export csv", csv);
    if (tools_.wants(3)) write("export json", json);
    if (tools_.wants(4)) write("export arrow", arrow);
    if (!tools_.wants(0)) return;
    const log::TableOptions named{.names = log::NameColumns::kAll, .text = Chunk::Text::kUtf8};
    const std::vector<log::TableInfo> with_names = log::tables_of(reader_, named);
    timed("export perfetto", [&] { keep(report::write_perfetto(reader_, with_names, named, output, progress).read); });
  }

  // The last byte a batch promises must be there: the sanitizer looks.
  void touch(Bytes bytes) {
    if (!bytes.empty()) last_ = std::to_integer<unsigned>(bytes.back()) ^ std::to_integer<unsigned>(bytes.front());
  }

  log::Reader& reader_;
  Tools tools_;
  NullSink sink_;
  NoNotices none_;
  Consumed result_;
  volatile unsigned last_ = 0;
};

}  // namespace

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

Consumed consume(std::unique_ptr<log::Source> source, const log::ReadOptions& options, Tools tools) {
  auto reader = log::Reader::open(std::move(source), options);
  if (reader) return Consumer(**reader, tools).run();
  Consumed refused;
  refused.error = reader.error();
  if (refused.error.code == ErrorCode::kNone || refused.error.what[0] == '\0') std::abort();
  return refused;
}

MemoryFile::MemoryFile() : descriptor_(::memfd_create("log", MFD_CLOEXEC)) {
  if (descriptor_ < 0) std::abort();
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

void MemoryFile::set(Bytes content) {
  if (::ftruncate(descriptor_, 0) != 0) std::abort();
  for (std::size_t at = 0; at < content.size();) {
    const ssize_t wrote = ::pwrite(descriptor_, content.data() + at, content.size() - at, static_cast<off_t>(at));
    if (wrote <= 0) std::abort();
    at += static_cast<std::size_t>(wrote);
  }
}

}  // namespace trikal::fuzz
