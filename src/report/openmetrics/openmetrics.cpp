#include "report/openmetrics/openmetrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyze/dataset/internal_files.hpp"
#include "modules/list.hpp"
#include "report/openmetrics/text.hpp"
#include "report/text/findings.hpp"
#include "report/text/program_name.hpp"

namespace trikal::report {
namespace {

using analyze::Flow;
using analyze::Layer;
using analyze::Run;
using analyze::Use;

constexpr std::array kAllLayers = {Layer::kPosix, Layer::kStdio, Layer::kMpiio};

double real_of(std::int64_t count) { return static_cast<double>(count); }

void write_run(MetricsText& text, const Run& run, std::string_view version) {
  const log::Job& job = *run.job;
  text.family("trikal_run", "info", "", "the run these numbers are of");
  text.sample(1, {{"command", job.exe}, {"uid", fmt::format("{}", job.uid)}, {"version", std::string(version)}},
              "_info");
  const auto gauge = [&](std::string_view name, std::string_view unit, std::string_view help, double value) {
    text.family(name, "gauge", unit, help);
    text.sample(value);
  };
  gauge("trikal_run_start_timestamp_seconds", "seconds", "when the run began, since 1970",
        real_of(job.start_sec) + 1e-9 * real_of(job.start_nsec));
  gauge("trikal_run_seconds", "seconds", "how long it took", run.seconds);
  gauge("trikal_run_io_seconds", "seconds",
        "how long it was in I/O: the slowest rank, or processes by how many there "
        "were at a time",
        run.io_seconds());
  gauge("trikal_run_processes", "", "processes or ranks", real_of(job.nprocs));
  gauge("trikal_run_files", "", "different files", static_cast<double>(analyze::program_files(run)));
}

// Calls look(layer's name, its use) for the layers that the run has.
template <class Look>
void for_each_layer(const Run& run, const Look& look) {
  for (const Layer layer : kAllLayers) {
    if (run.layer(layer).present) look(std::string(analyze::layer_name(layer)), run.layer(layer).total);
  }
}

void write_layers(MetricsText& text, const Run& run) {
  text.family("trikal_layer_bytes", "gauge", "bytes", "bytes moved; those of MPI-IO are among those of POSIX");
  for_each_layer(run, [&](const std::string& layer, const Use& use) {
    text.sample(real_of(use.read.bytes), {{"layer", layer}, {"direction", "read"}});
    text.sample(real_of(use.write.bytes), {{"layer", layer}, {"direction", "write"}});
  });
  text.family("trikal_layer_seconds", "gauge", "seconds", "time in calls, of all ranks together");
  for_each_layer(run, [&](const std::string& layer, const Use& use) {
    text.sample(use.read.seconds, {{"layer", layer}, {"kind", "read"}});
    text.sample(use.write.seconds, {{"layer", layer}, {"kind", "write"}});
    text.sample(use.meta_seconds, {{"layer", layer}, {"kind", "metadata"}});
  });
  text.family("trikal_layer_operations", "gauge", "", "calls by kind");
  for_each_layer(run, [&](const std::string& layer, const Use& use) {
    const std::pair<std::string_view, std::int64_t> kinds[] = {{"read", use.read.calls}, {"write", use.write.calls},
                                                               {"open", use.opens},      {"stat", use.stats},
                                                               {"seek", use.seeks},      {"sync", use.syncs}};
    for (const auto& [kind, count] : kinds)
      text.sample(real_of(count), {{"layer", layer}, {"operation", std::string(kind)}});
  });
}

void write_sizes(MetricsText& text, const std::string& layer, std::string_view direction, const Flow& flow) {
  const MetricLabels labels = {{"layer", layer}, {"direction", std::string(direction)}};
  double calls = 0;
  for (std::size_t i = 0; i < flow.sizes.size(); ++i) {
    calls += real_of(flow.sizes[i]);
    MetricLabels bucket = labels;
    bucket.emplace_back("le",
                        i < kSizeClassBounds.size() ? fmt::format("{:.1f}", real_of(kSizeClassBounds[i])) : "+Inf");
    text.sample(calls, bucket, "_bucket");
  }
  text.sample(calls, labels, "_count");
  text.sample(real_of(flow.bytes), labels, "_sum");
}

void write_findings(MetricsText& text, const Run& run) {
  text.family("trikal_finding_seconds", "gauge", "seconds", "what a finding costs the run; 0 where it cannot be told");
  // A rule may say several things (of reading, of writing); a sample is a rule.
  std::vector<std::pair<std::string_view, std::pair<double, analyze::Severity>>> codes;
  for (const analyze::Finding& finding : find_all(run)) {
    const auto known = std::ranges::find(codes, finding.code, [](const auto& one) { return one.first; });
    if (known == codes.end()) codes.push_back({finding.code, {finding.seconds, finding.severity}});
    else known->second.first += finding.seconds;
  }
  for (const auto& [code, cost] : codes)
    text.sample(cost.first, {{"code", std::string(code)}, {"severity", std::string(severity_name(cost.second))}});
}

Status write_counters(MetricsText& text, log::Reader& reader) {
  text.family("trikal_counter", "unknown", "", "counters of all records together, as trikal parse --total has them");
  for (const ModuleId id : reader.modules()) {
    const ModuleFormat* format = find_module(id);
    if (format == nullptr || !format->schema->totals) continue;
    const ModuleSchema& schema = *format->schema;
    auto records = reader.records(id);
    if (!records) {
      if (const Status status = reader.tolerate(std::string(schema.name), records.error()); !status) return status;
      continue;
    }
    analyze::Accumulator totals(schema, reader.job().nprocs, analyze::Accumulator::Files::kSkip);
    log::Batch batch;
    for (;;) {
      auto more = (*records)->next(batch);
      if (!more) return more.error();
      if (!*more) break;
      for (std::size_t i = 0; i < batch.count; ++i) totals.add(batch.record(i, schema));
    }
    const std::byte* at = totals.total().data() + schema.counters_at;
    for (const Counter& counter : schema.counters) {
      for (std::size_t i = 0; i < counter.width(); ++i, at += 8)
        text.sample(counter.kind == Kind::kReal ? load<double>(at) : real_of(load<std::int64_t>(at)),
                    {{"module", std::string(schema.name)}, {"counter", bucket_name(counter, i)}});
    }
  }
  return {};
}

}  // namespace

ExportStatus write_openmetrics(log::Reader& reader, std::string_view version, TableOutput& output) {
  const auto run = analyze::read_run(reader);
  if (!run) return {.read = run.error()};
  auto sink = output.open("metrics");
  if (!sink) return {.written = sink.error()};
  MetricsText text(**sink, {{"exe", program_name(*run)}, {"job_id", fmt::format("{}", run->job->job_id)}});
  write_run(text, *run, version);
  write_layers(text, *run);
  text.family("trikal_access_size_bytes", "histogram", "bytes", "reads and writes by size");
  for_each_layer(*run, [&](const std::string& layer, const Use& use) {
    write_sizes(text, layer, "read", use.read);
    write_sizes(text, layer, "write", use.write);
  });
  write_findings(text, *run);
  if (Status read = write_counters(text, reader); !read) return {.read = read};
  text.finish();
  return {.written = output.close()};
}

}  // namespace trikal::report
