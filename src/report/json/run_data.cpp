#include "report/json/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/dataset/rank_ranges.hpp"
#include "analyze/rules/judge.hpp"
#include "modules/list.hpp"
#include "report/json/report_shapes.hpp"
#include "report/text/program_name.hpp"
#include "report/text/sureness.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::Layer;

constexpr std::array kAllLayers = {Layer::kPosix, Layer::kStdio, Layer::kMpiio};

struct Insights {
  const Run& run;
  std::span<const Finding> findings;
};
struct Summary {
  const Run& run;
  std::span<const Finding> findings;
  const LogFacts& facts;
};

}  // namespace

template <>
struct Shape<Insights> {
  static constexpr std::tuple kFields{
      Field{"schema", [](const Insights&) { return "trikal-insights 1"; }},
      Field{"run_seconds", [](const Insights& it) { return it.run.seconds; }},
      Field{"io_seconds", [](const Insights& it) { return it.run.io_seconds(); }},
      Field{"warnings", [](const Insights& it) { return all_warnings(it.run); }},
      Field{"sureness", [](const Insights& it) { return it.run.sureness; }},
      Field{"findings", [](const Insights& it) { return finding_rows(it.findings, it.run); }},
  };
};
template <>
struct Shape<Summary> {
  static constexpr std::tuple kFields{
      Field{"schema", [](const Summary&) { return "trikal-summary 1"; }},
      Field{"version", [](const Summary& it) { return it.facts.version; }},
      FieldsOf{[](const Summary& it) { return RunHead{it.run, it.findings, it.facts}; }},
  };
};

std::vector<CommonSize> common_sizes(const analyze::Use& use) {
  std::vector<CommonSize> sizes;
  for (std::size_t i = 0; i < kTopSlots; ++i)
    if (use.common_counts[i] != 0) sizes.push_back({use.common_sizes[i], use.common_counts[i]});
  return sizes;
}

JobRow job_row(const Run& run) {
  const log::Job& job = *run.job;
  return {.program = program_name(run),
          .exe = std::string_view(job.exe).substr(0, job.exe.find(' ')),
          .command = job.exe,
          .job_id = job.job_id,
          .uid = job.uid,
          .nprocs = job.nprocs,
          .start = static_cast<double>(job.start_sec) + 1e-9 * static_cast<double>(job.start_nsec),
          .seconds = run.seconds,
          .seconds_at_least = run.at_least ? std::optional(true) : std::nullopt,
          .mpi = run.is_parallel_job() || run.layer(Layer::kMpiio).present,
          .metadata = {[&job](const auto& entry) {
            for (const auto& [key, value] : job.metadata_pairs()) entry(key, value);
          }}};
}

double meta_seconds(const IoRow& io) { return io.run.meta_seconds(); }

Rows<FindingRow> finding_rows(std::span<const Finding> findings, const Run& run) {
  return {[findings, &run](const auto& row) {
    for (const Finding& finding : findings) row({finding, run.seconds > 0 ? finding.seconds / run.seconds : 0.0});
  }};
}

Rows<LayerRow> layer_rows(const Run& run) {
  return {[&run](const auto& row) {
    for (const Layer layer : kAllLayers) {
      if (!run.layer(layer).present) continue;
      row({analyze::layer_name(layer), run.uses[static_cast<std::size_t>(layer)].size(), run.layer(layer)});
    }
  }};
}

std::vector<std::string> all_warnings(const Run& run) {
  std::vector<std::string> warnings = warnings_of(run);
  for (std::string& line : unseen_part_lines(run.unseen)) warnings.push_back(std::move(line));
  return warnings;
}

namespace {

// Layers of one file that cannot both be right.
void add_contradictions(const Run& run, std::vector<std::string>& warnings) {
  constexpr double kMuch = 1.0 * 1024 * 1024, kShare = 0.05;
  std::size_t files = 0;
  std::string first;
  analyze::for_each_use(run, Layer::kMpiio, [&](const analyze::FileUse& file, const analyze::Use& mpi) {
    const auto posix = run.use(file, Layer::kPosix);
    if (!posix) return;  // other ways to storage have no POSIX
    for (const auto& [flow, verb] :
         {std::pair{&analyze::Use::read, "read"}, std::pair{&analyze::Use::write, "wrote"}}) {
      const auto above = static_cast<double>((mpi.*flow).bytes), below = static_cast<double>(((*posix).*flow).bytes);
      if (above - below < kMuch || above - below < kShare * above) continue;
      files += 1;
      if (first.empty())
        first =
            fmt::format("{}: MPI-IO {} {}, POSIX {}", file.name, verb, analyze::sized(above), analyze::sized(below));
    }
  });
  if (files == 0) return;
  warnings.push_back(
      fmt::format("POSIX and MPI-IO contradict each other ({}{}): a part of the calls is not in this log", first,
                  files > 1 ? fmt::format(", and {} more", files - 1) : ""));
}

// Of a trace calls are missing; of other modules, files and what is added up over them.
void add_incomplete(const Run& run, std::vector<std::string>& warnings) {
  const auto is_trace = [](const std::string& name) {
    return std::ranges::any_of(all_modules(), [&name](const ModuleFormat* module) {
      return module->schema->shape == trikal::Shape::kSliced && module->schema->name == name;
    });
  };
  std::string names;
  for (const std::string& name : run.incomplete)
    if (!is_trace(name)) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty())
    warnings.push_back(fmt::format(
        "incomplete: {} ran out of memory at run time; files or accesses are missing, and all totals are too low",
        names));
  if (std::ranges::any_of(run.incomplete, is_trace))
    warnings.emplace_back(
        "incomplete: the trace is not whole: memory ran out, and a part of the calls is missing in it; counters have "
        "every call");
}

}  // namespace

std::vector<std::string> warnings_of(const Run& run) {
  std::vector<std::string> warnings;
  if (run.sureness) warnings = sureness_lines(*run.sureness);
  if (run.is_prediction)
    warnings.push_back("predicted, not observed: nothing ran; counts are what the code says, times are estimates");
  add_incomplete(run, warnings);
  add_contradictions(run, warnings);
  const auto add = [&](std::int64_t count, std::string_view text) {
    if (count > 0) warnings.push_back(fmt::format("{} {}", count, text));
  };
  add(run.missed_calls,
      "calls were not noted: a signal came in the middle of our own work, or a thread that was in it did not go on");
  if (std::ranges::any_of(run.files, &analyze::FileUse::is_overflow))
    warnings.push_back(
        fmt::format("{} files share a record with others on their mount: memory was full (TRIKAL_MEMORY raises it); "
                    "totals are exact",
                    run.folded_files > 0 ? "about " + analyze::grouped(run.folded_files) : "some"));
  constexpr std::int64_t kWorthWords = 10'000;  // fewer take microseconds
  add(run.untimed_calls >= kWorthWords ? run.untimed_calls : 0,
      "calls that stayed in a stream's buffer were not timed: their time is estimated from others (--time-all times "
      "all)");
  add(run.unobserved_processes, "processes found no memory to be observed with");
  if (!run.unseen_launcher.empty())
    warnings.push_back(
        fmt::format("{} was seen, and no rank that it started: LD_PRELOAD, TRIKAL_RUN_DIRECTORY and TRIKAL_RUN_REMOTE "
                    "must reach them "
                    "(mpirun -x NAME, srun --export), or start trikal run by {}",
                    run.unseen_launcher, run.unseen_launcher));
  if (!run.missing_ranks.empty()) {
    std::int64_t missing = 0;
    for (const analyze::RankRange& range : run.missing_ranks) missing += range.count();
    warnings.push_back(fmt::format(
        "of {} ranks, {} not in this log: {}. They ran on other nodes, were not observed, or have logs of their own "
        "(trikal merge joins them)",
        run.job->nprocs, missing == 1 ? "1 is" : fmt::format("{} are", missing),
        analyze::rank_ranges(run.missing_ranks)));
  }
  return warnings;
}

void write_insights_json(Sink& out, const Run& run, std::span<const Finding> findings) {
  JsonWriter json(out);
  put(json, Insights{run, findings});
  out.put("\n");
}

void write_summary_json(Sink& out, const Run& run, std::span<const Finding> findings, const LogFacts& facts) {
  JsonWriter json(out);
  put(json, Summary{run, findings, facts});
  out.put("\n");
}

void write_report_json(Sink& out, const Run& run, std::span<const Finding> findings, const LogFacts& facts) {
  JsonWriter json(out);
  put(json, Report{run, findings, facts, targets_of(run)});
}

}  // namespace trikal::report
