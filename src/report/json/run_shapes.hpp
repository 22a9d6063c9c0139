#pragma once
// What `summary --json`, `insights --json` and the report page have in common, field by field. docs/formats/run-json.md
// describes it for readers; web/src/data.ts is made of these tables (trikal generate page-types).

#include "analyze/dataset/internal_files.hpp"
#include "analyze/rules/rule.hpp"
#include "report/json/run_data.hpp"
#include "report/json/shape.hpp"
#include "report/json/sureness_shape.hpp"
#include "report/text/findings.hpp"

namespace trikal::report {

using analyze::Finding;
using analyze::Run;

struct CommonSize {
  std::int64_t bytes = 0, count = 0;
};
template <>
struct Shape<CommonSize> {
  static constexpr std::string_view kName = "CommonSize";
  static constexpr bool kTuple = true;
  static constexpr std::tuple kFields{Field{"bytes", &CommonSize::bytes}, Field{"count", &CommonSize::count}};
};
[[nodiscard]] std::vector<CommonSize> common_sizes(const analyze::Use& use);

template <>
struct Shape<analyze::Flow> {
  using Flow = analyze::Flow;
  static constexpr std::string_view kName = "Flow";
  static constexpr std::tuple kFields{
      Field{"calls", &Flow::calls},
      Field{"bytes", &Flow::bytes},
      Field{"sequential", &Flow::sequential},
      Field{"consecutive", &Flow::consecutive},
      Field{"seconds", &Flow::seconds},
      Field{"first", &Flow::first, "when the first call began, seconds since the start; 0: never"},
      Field{"last", &Flow::last, "when the last call ended; 0: never"},
      Field{"sizes", &Flow::sizes, "calls by size, in the classes of words.ts"},
  };
};

template <>
struct Shape<analyze::Use> {
  using Use = analyze::Use;
  static constexpr std::string_view kName = "Use", kMeaning = "What one layer did with one file.";
  static constexpr std::tuple kFields{
      Field{"opens", &Use::opens},
      Field{"stats", &Use::stats},
      Field{"seeks", &Use::seeks},
      Field{"syncs", &Use::syncs},
      Field{"switches", &Use::switches, "between reading and writing"},
      Field{"misaligned", &Use::misaligned_file},
      Field{"read", &Use::read},
      Field{"write", &Use::write},
      Field{"meta_seconds", &Use::meta_seconds},
      Field{"slowest_rank", &Use::slowest_rank},
      Field{"slowest_seconds", &Use::slowest_seconds},
      Field{"fastest_seconds", &Use::fastest_seconds},
      Field{"common_sizes", common_sizes},
  };
};

template <>
struct Shape<analyze::SiteUse> {
  using Site = analyze::SiteUse;
  static constexpr std::string_view kName = "Site", kMeaning = "One call site, one operation on one file.";
  static constexpr std::tuple kFields{
      Field{"location", analyze::site_text, "\"solver.c:120 (write_rows)\""},
      Field{"source", &Site::source},
      Field{"line", &Site::line, "0: not known"},
      Field{"function", &Site::function},
      Field{"object", &Site::object, "the program or library"},
      Field{"through", &Site::through, "libraries between the call and what was called, that one's caller first"},
      Field{"interface", &Site::interface},
      Field{"operation", &Site::operation},
      Field{"count", &Site::count},
      Field{"bytes", &Site::bytes},
      Field{"seconds", &Site::seconds},
  };
};
using Sites = std::span<const analyze::SiteUse>;
// Left out where the run noted none.
[[nodiscard]] inline std::optional<Sites> sites_if_any(Sites sites) {
  return sites.empty() ? std::nullopt : std::optional(sites);
}

template <>
struct Names<analyze::Severity> {
  using enum analyze::Severity;
  static constexpr std::string_view kName = "Severity";
  static constexpr std::array kAll = {kHigh, kMedium, kLow, kInfo};
  static std::string_view text(analyze::Severity severity) { return severity_name(severity); }
};

template <>
struct Shape<analyze::FileEvidence> {
  using File = analyze::FileEvidence;
  static constexpr std::string_view kName = "FindingFile";
  static constexpr std::tuple kFields{
      Field{"name", &File::name},
      Field{"seconds", &File::seconds},
      Field{"text", &File::text},
      Field{"sites", [](const File& file) { return sites_if_any(file.sites); }},
  };
};

struct FindingRow {
  const Finding& finding;
  double share;
};
template <>
struct Shape<FindingRow> {
  using Row = FindingRow;
  static constexpr std::string_view kName = "Finding";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"code", [](const Row& row) { return row.finding.code; }},
      Field{"severity", [](const Row& row) { return row.finding.severity; }},
      Field{"seconds", [](const Row& row) { return row.finding.seconds; }},
      Field{"least", [](const Row& row) { return row.finding.least; }, "seconds, if all is as cheap as it may be"},
      Field{"most", [](const Row& row) { return row.finding.most; }},
      Field{"share", [](const Row& row) { return row.share; }, "of the run time"},
      Field{"title", [](const Row& row) { return std::string_view(row.finding.title); }},
      Field{"evidence", [](const Row& row) { return std::span(row.finding.evidence); }},
      Field{"formula", [](const Row& row) { return std::string_view(row.finding.formula); }},
      Field{"files", [](const Row& row) { return std::span(row.finding.files); }, "the worst of them"},
      Field{"files_total", [](const Row& row) { return row.finding.file_count; }},
      Field{"fix", [](const Row& row) { return std::string_view(row.finding.fix); }},
      Field{"why", [](const Row& row) { return row.finding.why; }},
      Field{"overlaps", [](const Row& row) { return std::span(row.finding.overlaps); },
            "codes of findings whose seconds are partly the same"},
  };
};

struct LogRow {
  const Run& run;
  const LogFacts& facts;
};
template <>
struct Shape<LogRow> {
  static constexpr std::string_view kName = "Log";
  static constexpr std::tuple kFields{
      Field{"path", [](const LogRow& log) { return std::string_view(log.facts.path); }},
      Field{"bytes", [](const LogRow& log) { return log.facts.bytes; }},
      Field{"modules", [](const LogRow& log) { return std::span(log.run.modules); }},
  };
};

struct JobRow {
  std::string program;
  std::string_view exe, command;
  std::int64_t job_id, uid, nprocs;
  double start, seconds;
  std::optional<bool> seconds_at_least;
  bool mpi;
  Keyed<std::string_view> metadata;
};
template <>
struct Shape<JobRow> {
  static constexpr std::string_view kName = "Job";
  static constexpr std::tuple kFields{
      Field{"program", &JobRow::program, "what the ranks run"},
      Field{"exe", &JobRow::exe},
      Field{"command", &JobRow::command},
      Field{"job_id", &JobRow::job_id},
      Field{"uid", &JobRow::uid},
      Field{"nprocs", &JobRow::nprocs},
      Field{"start", &JobRow::start, "seconds since 1970"},
      Field{"seconds", &JobRow::seconds},
      Field{"seconds_at_least", &JobRow::seconds_at_least, "the run was killed, and nobody saw when"},
      Field{"mpi", &JobRow::mpi, "ranks are MPI's; else they are processes"},
      Field{"metadata", &JobRow::metadata},
  };
};
[[nodiscard]] JobRow job_row(const Run& run);

struct IoRow {
  const Run& run;
};
[[nodiscard]] double meta_seconds(const IoRow& io);
template <>
struct Shape<IoRow> {
  static constexpr std::string_view kName = "Io";
  static constexpr std::tuple kFields{
      Field{"seconds", [](const IoRow& io) { return io.run.io_seconds(); }},
      Field{"share", [](const IoRow& io) { return io.run.seconds > 0 ? io.run.io_seconds() / io.run.seconds : 0.0; },
            "of the run time"},
      Field{"bytes_read", [](const IoRow& io) { return io.run.bytes_read(); }},
      Field{"bytes_written", [](const IoRow& io) { return io.run.bytes_written(); }},
      Field{"files", [](const IoRow& io) { return analyze::program_files(io.run); }},
      Field{"meta_seconds", meta_seconds},
  };
};

struct LayerRow {
  std::string_view name;
  std::uint64_t files;
  const analyze::LayerSum& sum;
};
template <>
struct Shape<LayerRow> {
  static constexpr std::string_view kName = "Layer", kMeaning = "What one layer did with all files.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &LayerRow::name},
      Field{"files", &LayerRow::files},
      FieldsOf{[](const LayerRow& layer) -> const analyze::Use& { return layer.sum.total; }},
      Field{"seconds_by_slowest", [](const LayerRow& layer) { return layer.sum.derived.agg_time; }},
      Field{"mib_per_s_by_slowest", [](const LayerRow& layer) { return layer.sum.derived.agg_perf; }},
  };
};

template <>
struct Shape<analyze::MachineRow> {
  using Row = analyze::MachineRow;
  static constexpr std::string_view kName = "Machine", kMeaning = "One metric of the machine during the run.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"host", &Row::host},
      Field{"metric", &Row::metric},
      Field{"device", &Row::device, "empty: the whole machine"},
      Field{"unit", &Row::unit},
      Field{"samples", &Row::samples},
      Field{"least", &Row::least},
      Field{"mean", &Row::mean},
      Field{"most", &Row::most},
  };
};
using MachineRows = std::span<const analyze::MachineRow>;
// Left out where nobody watched the run.
[[nodiscard]] inline std::optional<MachineRows> machine_if_any(const Run& run) {
  return run.machine.empty() ? std::nullopt : std::optional(MachineRows(run.machine));
}

template <>
struct Shape<analyze::AccessCalls> {
  using Calls = analyze::AccessCalls;
  static constexpr std::string_view kName = "AccessCalls";
  static constexpr std::tuple kFields{Field{"reads", &Calls::reads}, Field{"writes", &Calls::writes}};
};

template <>
struct Shape<analyze::LibrarySum> {
  using Library = analyze::LibrarySum;
  static constexpr std::string_view kName = "Library", kMeaning = "What a library above POSIX did, all ranks together.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &Library::name},
      Field{"records", &Library::records},
      Field{"bytes_read", &Library::bytes_read},
      Field{"bytes_written", &Library::bytes_written},
      Field{"read_seconds", &Library::read_seconds},
      Field{"write_seconds", &Library::write_seconds},
      Field{"meta_seconds", &Library::meta_seconds},
      Field{"slowest_seconds", &Library::slowest_seconds},
      Field{"independent", &Library::independent, "calls for PnetCDF's variables: blocking, each rank for itself"},
      Field{"collective", &Library::collective, "blocking, all ranks together"},
      Field{"nonblocking", &Library::nonblocking, "begun, and completed by a wait"},
  };
};

template <>
struct Shape<analyze::LayerTime> {
  using Time = analyze::LayerTime;
  static constexpr std::string_view kName = "LayerTime",
                                    kMeaning = "Time in a layer itself, without what it calls below.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &Time::name},
      Field{"seconds", &Time::all, "of all ranks"},
      Field{"slowest", &Time::slowest, "of the slowest rank, with what it calls below"},
  };
};

[[nodiscard]] Rows<FindingRow> finding_rows(std::span<const Finding> findings, const Run& run);
[[nodiscard]] Rows<LayerRow> layer_rows(const Run& run);
[[nodiscard]] std::vector<std::string> all_warnings(const Run& run);

// What the summary and the page begin with.
struct RunHead {
  const Run& run;
  std::span<const Finding> findings;
  const LogFacts& facts;
};
template <>
struct Shape<RunHead> {
  static constexpr std::string_view kName = "Head";
  static constexpr std::tuple kFields{
      Field{"log", [](const RunHead& head) { return LogRow{head.run, head.facts}; }},
      Field{"job", [](const RunHead& head) { return job_row(head.run); }},
      Field{"io", [](const RunHead& head) { return IoRow{head.run}; }},
      Field{"layers", [](const RunHead& head) { return layer_rows(head.run); }},
      Field{"libraries", [](const RunHead& head) { return std::span(head.run.libraries.sums); }},
      Field{"time_by_layer", [](const RunHead& head) { return analyze::time_by_layer(head.run); }},
      Field{"findings", [](const RunHead& head) { return finding_rows(head.findings, head.run); }, "worst first"},
      Field{"warnings", [](const RunHead& head) { return all_warnings(head.run); }},
      Field{"sureness", [](const RunHead& head) { return head.run.sureness; }, "of a prediction"},
      Field{"machine", [](const RunHead& head) { return machine_if_any(head.run); }},
  };
};

}  // namespace trikal::report
