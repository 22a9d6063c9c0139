// trikal export: a log as tables for other programs, or on a time axis.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/complain.hpp"
#include "cli/export_events.hpp"
#include "cli/log_input.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "modules/list.hpp"
#include "report/arrow/arrow_export.hpp"
#include "report/csv/csv.hpp"
#include "report/json/json_export.hpp"
#include "report/openmetrics/openmetrics.hpp"
#include "report/perfetto/perfetto.hpp"
#include "report/sqlite/sqlite_export.hpp"

namespace trikal::cli {
namespace {

using log::NameColumns;
using log::TableInfo;
using report::ExportStatus;
using report::Replace;
using report::TableOutput;

struct Format {
  std::string_view name;
  NameColumns names;  // unless the user says otherwise
  Chunk::Text text;
  std::string_view extension;  // one file a table unless --table is given; empty: one file in all
  bool binary;
};
constexpr Format kFormats[] = {
    {"csv", NameColumns::kAll, Chunk::Text::kRaw, "csv", false},
    {"json", NameColumns::kRecords, Chunk::Text::kRaw, "", false},
    {"sqlite", NameColumns::kRecords, Chunk::Text::kUtf8, "", true},
    {"arrow", NameColumns::kAll, Chunk::Text::kUtf8, "arrow", true},
    {"perfetto", NameColumns::kAll, Chunk::Text::kUtf8, "", false},
    {"openmetrics", NameColumns::kNone, Chunk::Text::kUtf8, "", false},
    {"ldms-json", NameColumns::kNone, Chunk::Text::kRaw, "", false},
    {"ldms-csv", NameColumns::kNone, Chunk::Text::kRaw, "", false},
};

// A chunk of the widest table takes some 10 MiB, twice in formats that build a batch of it.
constexpr std::size_t kChunkRows = 16384;

struct ExportOptions {
  LogInput input;
  std::string format;
  std::string output;
  std::vector<std::string> modules;
  std::string table;
  std::string names;
  std::string dialect;
  std::int64_t run = 0;
  bool force = false;
  bool list = false;
};

int refuse(const ExportOptions& options, const std::string& why) {
  warn(options.input.path, why);
  return kUsage;
}

log::TableOptions table_options(const ExportOptions& options, const Format& format) {
  log::TableOptions tables{.names = format.names, .text = format.text, .rows = kChunkRows};
  if (format.name == "perfetto") return tables;  // an event says its file whatever the tables have
  if (options.names == "none") tables.names = NameColumns::kNone;
  if (options.names == "records") tables.names = NameColumns::kRecords;
  if (options.names == "all") tables.names = NameColumns::kAll;
  return tables;
}

// Keeps the tables that were asked for; says which of the modules or tables the log does not have.
bool select(const ExportOptions& options, std::vector<TableInfo>& tables) {
  std::vector<const ModuleFormat*> wanted;
  for (const std::string& name : options.modules) {
    const ModuleFormat* module = find_module(name);
    if (module == nullptr) return warn(options.input.path, "there is no module of the name " + name), false;
    wanted.push_back(module);
  }
  const auto unwanted = [&](const TableInfo& table) {
    const bool other =
        !wanted.empty() && table.module != nullptr && std::ranges::find(wanted, table.module) == wanted.end();
    return other || (!options.table.empty() && table.name != options.table);
  };
  std::erase_if(tables, unwanted);
  if (!tables.empty()) return true;
  warn(options.input.path, fmt::format("the log has no table {} (--list shows them)", options.table));
  return false;
}

int list_tables(const std::vector<TableInfo>& tables) {
  report::DescriptorSink out(STDOUT_FILENO);
  for (const TableInfo& table : tables) {
    out.put(fmt::format("{:<24}  {:>4} columns  {}\n", table.name, table.columns.size(), table.help));
  }
  const Status written = out.flush();
  return written.ok() ? kOk : complain("standard output", written.error());
}

// Where a format that writes bytes one after the other puts them.
Result<std::unique_ptr<TableOutput>> open_output(const ExportOptions& options, const Format& format) {
  const Replace replace = options.force ? Replace::kYes : Replace::kNo;
  if (options.output == "-") return report::open_standard_output();
  if (!format.extension.empty() && options.table.empty()) {
    return report::open_directory(options.output, std::string(format.extension), replace);
  }
  return report::open_single_file(options.output, replace);
}

struct Work {
  log::Reader& reader;
  const std::vector<TableInfo>& tables;
  log::TableOptions options;
  TerminalProgress& progress;

  ExportStatus run(report::TableWriter& writer) {
    return report::write_tables(reader, tables, options, writer, progress);
  }
};

ExportStatus write_sqlite(const ExportOptions& options, Work& work) {
  auto file = report::OutputFile::create(options.output, options.force ? Replace::kYes : Replace::kNo);
  if (!file) return {.written = file.error()};
  auto database = report::SqliteExport::open(std::move(*file));
  if (!database) return {.written = database.error()};
  return work.run(**database);
}

ExportStatus write(const ExportOptions& options, const Format& format, Work& work) {
  if (format.name == "sqlite") return write_sqlite(options, work);
  auto output = open_output(options, format);
  if (!output) return {.written = output.error()};
  if (format.name == "perfetto") {
    return report::write_perfetto(work.reader, work.tables, work.options, **output, work.progress);
  }
  if (format.name == "openmetrics") return report::write_openmetrics(work.reader, kVersion, **output);
  if (format.name == "json") {
    report::JsonExport writer(**output, std::string("trikal ") + kVersion);
    return work.run(writer);
  }
  if (format.name == "arrow") {
    report::ArrowExport writer(**output);
    return work.run(writer);
  }
  report::CsvWriter writer(**output);
  return work.run(writer);
}

// Fills in the output's default; an answer other than kOk is the exit code.
int settle_output(ExportOptions& options, const Format& format) {
  const bool many_files = !format.extension.empty() && options.table.empty();
  if (options.output.empty() && (many_files || format.name == "sqlite")) {
    return refuse(options, fmt::format("--format {} needs -o {}{}", format.name, many_files ? "DIRECTORY" : "FILE",
                                       many_files ? ", or --table NAME for a single table on standard output" : ""));
  }
  if (options.output.empty()) options.output.assign(1, '-');
  if (options.output != "-") return kOk;
  if (many_files) return refuse(options, "several tables do not fit on standard output; choose one with --table NAME");
  if (format.name == "sqlite") return refuse(options, "a database cannot be written to standard output");
  if (format.binary && ::isatty(STDOUT_FILENO) == 1)
    return refuse(options, "this format is not for a terminal; give -o");
  return kOk;
}

// Of a file of events or a store, which have no tables of a log.
int run_events_export(const ExportOptions& options) {
  if (options.list || !options.table.empty() || !options.names.empty())
    return refuse(options,
                  "--list, --table and --names are for logs; this format is made of a file of events or a store");
  return export_events({.path = options.input.path,
                        .output = options.output.empty() ? "-" : options.output,
                        .dialect = options.dialect,
                        .modules = options.modules,
                        .run = options.run,
                        .csv = options.format == "ldms-csv",
                        .force = options.force,
                        .salvage = options.input.salvage});
}

int run_export(ExportOptions options) {
  const auto* format = std::ranges::find(kFormats, options.format, &Format::name);
  const bool known = format != std::end(kFormats);
  if (options.format.starts_with("ldms-")) return run_events_export(options);
  if (options.run != 0) return refuse(options, "--run is for --format ldms-json and ldms-csv of a store");
  if (!options.dialect.empty()) return refuse(options, "--dialect is for --format ldms-json and ldms-csv");
  if (!known && !options.list) return refuse(options, "--format is missing");
  if (!options.list) {
    if (const int code = settle_output(options, *format); code != kOk) return code;
  }
  int code = kOk;
  const bool prints = options.list || options.output == "-";
  TerminalProgress progress(!options.input.no_progress,
                            prints ? TerminalProgress::Output::kStandard : TerminalProgress::Output::kNone);
  const auto reader = options.input.open(code, progress);
  if (!reader) return code;
  const log::TableOptions table_choice = table_options(options, known ? *format : kFormats[0]);
  std::vector<TableInfo> tables = log::tables_of(*reader, table_choice);
  if (!select(options, tables)) {
    const int damaged = report_damage(options.input.path, reader->damage());  // the table may have been lost
    return damaged != kOk ? damaged : kUsage;
  }
  if (options.list) return list_tables(tables);

  Work work{*reader, tables, table_choice, progress};
  const ExportStatus status = write(options, *format, work);
  if (!status.read.ok()) return complain(options.input.path, status.read.error());
  if (!status.written.ok()) {
    return complain(options.output == "-" ? "standard output" : options.output, status.written.error());
  }
  return report_damage(options.input.path, reader->damage());
}

constexpr const char *kExportOutput = "Where to", *kTables = "Which tables";

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

void declare_tables(CommandLine& app, ExportOptions& options) {
  app.add_option("--modules,-m", options.modules, "only these modules, separated by commas")
      ->type_name("MODULES")
      ->delimiter(',')
      ->group(kTables);
  app.add_option("--table,-t", options.table, "only this table")->type_name("TABLE")->group(kTables);
  app.add_option("--names", options.names, "tables that have file names beside record ids")
      ->type_name("none|records|all")
      ->check(one_of({"none", "records", "all"}))
      ->group(kTables);
  app.add_option("--run", options.run, "of a store only this run: its number in the view runs of trikal sql")
      ->type_name("N")
      ->check(between(1, 1 << 30))
      ->group(kTables);
  app.add_flag("--list", options.list, "show which tables the log has, and write nothing")->group(kTables);
}

void attach_export(CommandLine& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  options->input.declare(
      app,
      "the log; for ldms-json and ldms-csv the file of events, or the store of trikal watch; - reads standard input");
  app.add_option("--format,-f", options->format, "what to write; all but --list need it")
      ->type_name(fmt::format("{}", fmt::join(format_names(), "|")))
      ->check(one_of(format_names()))
      ->group(kExportOutput);
  app.add_option("--output,-o", options->output,
                 "a directory (csv, arrow: a file for each table) or a file; - is standard output")
      ->type_name("PATH")
      ->group(kExportOutput);
  app.add_flag("--force", options->force, "replace what is there")->group(kExportOutput);
  declare_dialect(app, options->dialect)->group(kExportOutput);
  declare_tables(app, *options);
  action = [options] { return run_export(*options); };
}

constexpr Example kExportExamples[] = {
    {"trikal export job.darshan -f csv -o tables", "every table as tables/NAME.csv"},
    {"trikal export job.darshan -f csv -t posix", "the POSIX records on standard output"},
    {"trikal export job.darshan -f sqlite -o job.db", "a database: SELECT name, POSIX_BYTES_READ FROM posix"},
    {"trikal export job.darshan -f arrow -o tables", "Arrow files for pyarrow, pandas, polars, DuckDB"},
    {"trikal export job.darshan -f perfetto -o t.json", "a trace (DXT) for ui.perfetto.dev"},
    {"trikal export job.darshan -f openmetrics", "totals and findings for Prometheus and similar tools"},
    {"trikal export job.events.jsonl -f ldms-json", "events as messages of the LDMS Darshan connector"},
    {"trikal export job.sqlite -f ldms-csv --run 1", "the same of a store of trikal watch, as rows"},
};

}  // namespace

const Verb kExport = {
    "export",
    "write a log as CSV, JSON, SQLite, Arrow, Perfetto or metrics",
    "Every module becomes a table with one row per record: its id, rank, fields and counters under their names. "
    "Records that "
    "hold lists give further tables: dxt_posix_segments, dxt_mpiio_segments, heatmap_bins, lustre_components, "
    "lustre_stripes, mdhim_servers, apmpi_header, apxc_header. The tables job, metadata, mounts, modules, columns, "
    "names and damage are about the log; columns tells the type, unit and meaning of every column. Record ids are "
    "unsigned 64-bit numbers: text in JSON, and in SQLite the signed number with the same bits, which "
    "printf('%u', record_id) shows unsigned. OpenMetrics has the run as a whole and its findings, no "
    "tables. The formats ldms-json and ldms-csv are made of a file of events (trikal run --events=all,details) or of a "
    "store (trikal watch --events=all,details) instead of a log: "
    "messages as the LDMS Darshan connector publishes them, and rows as LDMS stores them (docs/formats/ldms.md). "
    "Nothing that "
    "exists is replaced without --force.",
    kExportExamples,
    attach_export,
    kWritingSection};

}  // namespace trikal::cli
