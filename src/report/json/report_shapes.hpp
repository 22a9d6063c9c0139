#pragma once
// The document inside the page of `trikal report`, field by field: what run_shapes.hpp has, and the long lists. Each is cut
// to what a page can show.

#include <cmath>

#include "report/json/run_shapes.hpp"
#include "report/json/sum_shapes.hpp"

namespace trikal::report {

inline constexpr std::string_view kReportSchema = "trikal-report 1";

struct Stripes {
  std::uint64_t components;
  std::int64_t count, size;
  std::span<const std::int64_t> targets;
};
template <>
struct Shape<Stripes> {
  static constexpr std::string_view kName = "Stripes";
  static constexpr std::tuple kFields{
      Field{"components", &Stripes::components},
      Field{"count", &Stripes::count, "of the first component"},
      Field{"size", &Stripes::size},
      Field{"targets", &Stripes::targets},
  };
};
[[nodiscard]] std::optional<Stripes> stripes_of(const Run& run, const analyze::FileUse& file);

struct FileRow {
  std::string_view name, mount, fs;
  double seconds;
  std::int64_t bytes_read, bytes_written, opens, ranks;
  std::optional<bool> internal;
  std::optional<Stripes> stripes;
  std::optional<Sites> sites;
  std::optional<std::vector<analyze::LayerTime>> layers;
  Keyed<analyze::Use> uses;
};
template <>
struct Shape<FileRow> {
  static constexpr std::string_view kName = "FileRow";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &FileRow::name},
      Field{"mount", &FileRow::mount},
      Field{"fs", &FileRow::fs},
      Field{"seconds", &FileRow::seconds},
      Field{"bytes_read", &FileRow::bytes_read},
      Field{"bytes_written", &FileRow::bytes_written},
      Field{"opens", &FileRow::opens},
      Field{"ranks", &FileRow::ranks},
      Field{"internal", &FileRow::internal, "shared memory, lock tests and the like of MPI's own, or ours"},
      Field{"stripes", &FileRow::stripes, "on Lustre"},
      Field{"sites", &FileRow::sites, "where in the code its calls came from, where the run noted that"},
      Field{"layers", &FileRow::layers, "of a file that MPI-IO or a library opened"},
      Field{"uses", &FileRow::uses, "by layer"},
  };
};
[[nodiscard]] Rows<FileRow> file_rows(const Run& run);

template <>
struct Shape<analyze::RankUse> {
  using Rank = analyze::RankUse;
  static constexpr std::string_view kName = "Rank";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"rank", &Rank::rank, "-1: files shared by all ranks"},
      Field{"bytes_read", &Rank::bytes_read},
      Field{"bytes_written", &Rank::bytes_written},
      Field{"calls", &Rank::calls},
      Field{"files", &Rank::files},
      Field{"read_seconds", &Rank::read_seconds},
      Field{"write_seconds", &Rank::write_seconds},
      Field{"meta_seconds", &Rank::meta_seconds},
      Field{"mpiio_seconds", &Rank::mpiio_seconds, "in MPI-IO, with the POSIX calls inside of it"},
      Field{"library_seconds", &Rank::library_seconds, "in HDF5 and its like, with what is inside of it"},
  };
};

struct HeatLine {
  std::int64_t rank = 0;
  std::vector<std::int64_t> read, written;
};
template <>
struct Shape<HeatLine> {
  static constexpr std::string_view kName = "HeatLine";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"rank", &HeatLine::rank},
      Field{"read", &HeatLine::read, "bytes in each slice"},
      Field{"written", &HeatLine::written},
  };
};
struct Heat {
  std::string_view interface;
  double width;
  std::uint64_t ranks_a_row;
  std::optional<bool> from_trace;
  Rows<HeatLine> rows;
};
template <>
struct Shape<Heat> {
  static constexpr std::string_view kName = "Heat";
  static constexpr std::tuple kFields{
      Field{"interface", &Heat::interface},
      Field{"width", &Heat::width, "seconds of a slice"},
      Field{"ranks_a_row", &Heat::ranks_a_row, "more than 1 where there are too many for a row each"},
      Field{"from_trace", &Heat::from_trace, "there is no heatmap, or only a few slices of one"},
      Field{"rows", &Heat::rows},
  };
};
[[nodiscard]] Rows<Heat> heat_maps(const Run& run);

template <>
struct Shape<analyze::TraceSpan> {
  using Span = analyze::TraceSpan;
  static constexpr std::string_view kName = "TraceSpan";
  static constexpr std::string_view kMeaning = "One access, or several that follow each other closely.";
  static constexpr bool kTuple = true;
  static double to_nanosecond(double seconds) { return std::round(seconds * 1e9) / 1e9; }
  static constexpr std::tuple kFields{
      Field{"begin", [](const Span& span) { return to_nanosecond(span.begin); }},
      Field{"end", [](const Span& span) { return to_nanosecond(span.end); }},
      Field{"calls", &Span::calls},
      Field{"bytes", &Span::bytes},
      Field{"offset", &Span::offset},
  };
};
template <>
struct Shape<analyze::TraceLane> {
  using Lane = analyze::TraceLane;
  static constexpr std::string_view kName = "TraceLane", kMeaning = "What a rank wrote to, or read from, a file.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"interface", &Lane::interface},
      Field{"rank", &Lane::rank},
      Field{"file", &Lane::name},
      Field{"direction", [](const Lane& lane) { return std::string_view(lane.writes ? "write" : "read"); }},
      Field{"calls", &Lane::calls},
      Field{"seconds", &Lane::seconds, "in those calls"},
      Field{"spans", &Lane::spans, "in order of time"},
  };
};

template <>
struct Shape<analyze::ProcessRow> {
  using Row = analyze::ProcessRow;
  static constexpr std::string_view kName = "Process";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"pid", &Row::pid},         Field{"parent", &Row::parent}, Field{"rank", &Row::rank},
      Field{"start", &Row::start},     Field{"end", &Row::end},       Field{"exe", &Row::exe},
      Field{"command", &Row::command}, Field{"ended", &Row::ended},   Field{"status", &Row::status},
  };
};

template <>
struct Shape<analyze::PhaseRow> {
  using Row = analyze::PhaseRow;
  static constexpr std::string_view kName = "Phase";
  static constexpr std::tuple kFields{
      Field{"name", &Row::name},
      Field{"begin", &Row::begin},
      Field{"end", &Row::end},
      Field{"rank", &Row::rank},
  };
};

template <>
struct Shape<analyze::UnseenProgram> {
  using Program = analyze::UnseenProgram;
  static constexpr std::string_view kName = "Unseen";
  static constexpr std::tuple kFields{
      Field{"exe", &Program::exe},
      Field{"why", &Program::why},
      Field{"count", &Program::count},
  };
};
[[nodiscard]] Rows<analyze::UnseenProgram> unseen_programs(const Run& run);

struct FailedCalls {
  std::string_view file, what;
  std::int64_t count;
};
template <>
struct Shape<FailedCalls> {
  static constexpr std::string_view kName = "FailedCalls";
  static constexpr std::tuple kFields{
      Field{"file", &FailedCalls::file},
      Field{"what", &FailedCalls::what},
      Field{"count", &FailedCalls::count},
  };
};
[[nodiscard]] Rows<FailedCalls> failed_calls(const Run& run);

template <>
struct Shape<log::Mount> {
  static constexpr std::string_view kName = "Mount";
  static constexpr std::tuple kFields{Field{"path", &log::Mount::path}, Field{"type", &log::Mount::type}};
};

struct Target {
  std::int64_t id = 0, files = 0;
  double bytes_read = 0, bytes_written = 0;
};
template <>
struct Shape<Target> {
  static constexpr std::string_view kName = "Target", kMeaning = "One of Lustre's storage targets.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"id", &Target::id},
      Field{"files", &Target::files},
      Field{"bytes_read", &Target::bytes_read},
      Field{"bytes_written", &Target::bytes_written},
  };
};
// By what lies on them. A file's bytes count as spread evenly over its own.
[[nodiscard]] std::vector<Target> targets_of(const Run& run);
inline constexpr std::size_t kMostTargets = 4096;

using CounterValue = std::variant<std::int64_t, std::uint64_t, double>;
struct Counters {
  std::string_view module;
  Keyed<CounterValue> values;
};
template <>
struct Shape<Counters> {
  static constexpr std::string_view kName = "Counters", kMeaning = "All records of a module together.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{Field{"module", &Counters::module}, Field{"values", &Counters::values}};
};
[[nodiscard]] Rows<Counters> counter_rows(const Run& run);

struct Report {
  const Run& run;
  std::span<const Finding> findings;
  const LogFacts& facts;
  std::vector<Target> targets;
};
// At most as many as a page shows.
inline constexpr std::size_t kMostRows = 1000;
template <class T>
[[nodiscard]] std::span<const T> first_rows(const std::vector<T>& rows, std::size_t most = kMostRows) {
  return std::span(rows).first(std::min(rows.size(), most));
}

template <>
struct Shape<Report> {
  static constexpr std::string_view kName = "Data";
  static constexpr std::tuple kFields{
      Field{"schema", [](const Report&) { return kReportSchema; }},
      Field{"version", [](const Report& it) { return it.facts.version; }},
      FieldsOf{[](const Report& it) { return RunHead{it.run, it.findings, it.facts}; }},
      Field{"files", [](const Report& it) { return file_rows(it.run); }, "slowest first, not all of a large log"},
      Field{"files_total", [](const Report& it) { return it.run.file_count(); }},
      Field{"files_internal", [](const Report& it) { return analyze::internal_files(it.run); }, "of them"},
      Field{"file_kinds", [](const Report& it) { return file_kinds(it.run); }, "of all files"},
      Field{"directories", [](const Report& it) { return directories(it.run); }, "slowest first"},
      Field{"datasets", [](const Report& it) { return slowest_datasets(it.run); }, "slowest first"},
      Field{"datasets_total", [](const Report& it) { return it.run.datasets.size(); }},
      Field{"messages", [](const Report& it) { return messages_if_any(it.run); }, "where the log has APMPI"},
      Field{"ranks", [](const Report& it) { return std::span(it.run.ranks); }},
      Field{"heat", [](const Report& it) { return heat_maps(it.run); }},
      Field{"trace", [](const Report& it) { return std::span(it.run.trace_lanes.lanes); },
            "by rank and file; of a large one the rows that took most time"},
      Field{"trace_total", [](const Report& it) { return it.run.trace_lanes.total; }, "rows the log has"},
      Field{"trace_calls", [](const Report& it) { return it.run.trace_lanes.calls; }, "in all of them"},
      Field{"processes", [](const Report& it) { return first_rows(it.run.processes); }},
      Field{"processes_total", [](const Report& it) { return it.run.processes.size(); }, "rows"},
      Field{"process_count", [](const Report& it) { return process_count(it.run); },
            "one that replaced its program counts once"},
      Field{"programs", [](const Report& it) { return programs(it.run); }, "those that ran longest first"},
      Field{"phases", [](const Report& it) { return first_rows(it.run.phases); }},
      Field{"unseen", [](const Report& it) { return unseen_programs(it.run); }},
      Field{"errors", [](const Report& it) { return failed_calls(it.run); }},
      Field{"mounts", [](const Report& it) { return std::span(it.run.job->mounts); }},
      Field{"targets", [](const Report& it) { return first_rows(it.targets, kMostTargets); }},
      Field{"targets_total", [](const Report& it) { return it.targets.size(); }},
      Field{"counters", [](const Report& it) { return counter_rows(it.run); }},
  };
};

}  // namespace trikal::report
