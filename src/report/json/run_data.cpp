#include "report/json/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/dataset/rank_ranges.hpp"
#include "analyze/rules/judge.hpp"
#include "report/json/run_lists.hpp"
#include "report/json/run_storage.hpp"
#include "report/text/findings.hpp"
#include "report/text/program_name.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::Finding;
using analyze::Layer;
using analyze::Run;

constexpr std::array kAllLayers = {Layer::kPosix, Layer::kStdio, Layer::kMpiio};

void write_finding(JsonWriter& json, const Finding& finding, const Run& run) {
  json.line();
  json.open_object();
  json.field("code", finding.code);
  json.field("severity", severity_name(finding.severity));
  json.field("seconds", finding.seconds);
  json.field("share", run.seconds > 0 ? finding.seconds / run.seconds : 0.0);
  json.field("title", std::string_view(finding.title));
  json.key("evidence");
  json.open_array();
  for (const std::string& line : finding.evidence) json.value(std::string_view(line));
  json.close();
  json.field("formula", std::string_view(finding.formula));
  json.key("files");
  json.open_array();
  for (const analyze::FileEvidence& file : finding.files) {
    json.open_object();
    json.field("name", std::string_view(file.name));
    json.field("seconds", file.seconds);
    json.field("text", std::string_view(file.text));
    write_sites(json, file.sites);
    json.close();
  }
  json.close();
  json.field("fix", finding.fix);
  json.field("why", finding.why);
  json.close();
}

void write_findings_list(JsonWriter& json, std::span<const Finding> findings, const Run& run) {
  json.key("findings");
  json.open_array();
  for (const Finding& finding : findings) write_finding(json, finding, run);
  json.close();
}

void write_job(JsonWriter& json, const Run& run) {
  const log::Job& job = *run.job;
  json.key("job");
  json.open_object();
  json.field("program", std::string_view(program_name(run)));
  json.field("exe", std::string_view(job.exe).substr(0, job.exe.find(' ')));
  json.field("command", std::string_view(job.exe));
  json.field("job_id", job.job_id);
  json.field("uid", job.uid);
  json.field("nprocs", job.nprocs);
  json.field("start", static_cast<double>(job.start_sec) + 1e-9 * static_cast<double>(job.start_nsec));
  json.field("seconds", run.seconds);
  if (run.at_least) json.field("seconds_at_least", true);
  json.key("metadata");
  json.open_object();
  for (const auto& [key, value] : job.metadata_pairs()) json.field(key, value);
  json.close();
  json.close();
}

void write_io(JsonWriter& json, const Run& run) {
  json.key("io");
  json.open_object();
  json.field("seconds", run.io_seconds());
  json.field("share", run.seconds > 0 ? run.io_seconds() / run.seconds : 0.0);
  json.field("bytes_read", run.bytes_read());
  json.field("bytes_written", run.bytes_written());
  json.field("files", run.file_count());
  json.field("meta_seconds", run.layer(Layer::kPosix).total.meta_seconds + run.layer(Layer::kStdio).total.meta_seconds);
  json.close();
}

void write_layers(JsonWriter& json, const Run& run) {
  json.key("layers");
  json.open_array();
  for (const Layer layer : kAllLayers) {
    const analyze::LayerSum& sum = run.layer(layer);
    if (!sum.present) continue;
    json.line();
    json.open_object();
    json.field("name", analyze::layer_name(layer));
    json.field("files", static_cast<std::uint64_t>(run.uses[static_cast<std::size_t>(layer)].size()));
    write_use_fields(json, sum.total);
    json.field("seconds_by_slowest", sum.derived.agg_time);
    json.field("mib_per_s_by_slowest", sum.derived.agg_perf);
    json.close();
  }
  json.close();
}

void write_log(JsonWriter& json, const Run& run, const LogFacts& facts) {
  json.key("log");
  json.open_object();
  json.field("path", std::string_view(facts.path));
  json.field("bytes", facts.bytes);
  json.key("modules");
  json.open_array();
  for (const std::string& module : run.modules) json.value(std::string_view(module));
  json.close();
  json.close();
}

void write_warnings(JsonWriter& json, const Run& run) {
  json.key("warnings");
  json.open_array();
  for (const std::string& warning : warnings_of(run)) json.value(std::string_view(warning));
  for (const std::string& line : unseen_part_lines(run.unseen)) json.value(std::string_view(line));
  json.close();
}

void write_head(JsonWriter& json, const Run& run, std::span<const Finding> findings, const LogFacts& facts) {
  write_log(json, run, facts);
  write_job(json, run);
  write_io(json, run);
  write_layers(json, run);
  write_findings_list(json, findings, run);
  write_warnings(json, run);
}

}  // namespace

std::vector<std::string> warnings_of(const Run& run) {
  std::vector<std::string> warnings;
  const auto add = [&](std::int64_t count, std::string_view text) {
    if (count > 0) warnings.push_back(fmt::format("{} {}", count, text));
  };
  add(run.missed_calls, "calls were not noted: a signal came in the middle of our own work, or a thread that was in it did not go on");
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
  json.open_object();
  json.field("schema", "trikal-insights 1");
  json.field("run_seconds", run.seconds);
  json.field("io_seconds", run.io_seconds());
  write_findings_list(json, findings, run);
  json.close();
  out.put("\n");
}

void write_summary_json(Sink& out, const Run& run, std::span<const Finding> findings, const LogFacts& facts) {
  JsonWriter json(out);
  json.open_object();
  json.field("schema", "trikal-summary 1");
  json.field("version", facts.version);
  write_head(json, run, findings, facts);
  json.close();
  out.put("\n");
}

void write_report_json(Sink& out, const Run& run, std::span<const Finding> findings, const LogFacts& facts) {
  JsonWriter json(out);
  json.open_object();
  json.field("schema", "trikal-report 1");
  json.field("version", facts.version);
  write_head(json, run, findings, facts);
  write_file_list(json, run);
  write_rank_list(json, run);
  write_heat(json, run);
  write_process_lists(json, run);
  write_targets(json, run);
  write_counters(json, run);
  json.close();
}

}  // namespace trikal::report
