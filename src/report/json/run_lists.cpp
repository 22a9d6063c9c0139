#include "report/json/run_lists.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/program_kind.hpp"
#include "report/json/run_storage.hpp"

namespace trikal::report {
namespace {

using analyze::FileUse;
using analyze::Flow;
using analyze::Layer;
using analyze::Run;
using analyze::Use;

constexpr std::array kAllLayers = {Layer::kPosix, Layer::kStdio, Layer::kMpiio};
constexpr std::size_t kMostFiles = 2000, kMostRows = 256, kMostSlices = 200, kMostProcesses = 1000, kMostSites = 50;

void write_flow(JsonWriter& json, std::string_view name, const Flow& flow) {
  json.key(name);
  json.open_object();
  json.field("calls", flow.calls);
  json.field("bytes", flow.bytes);
  json.field("sequential", flow.sequential);
  json.field("consecutive", flow.consecutive);
  json.field("seconds", flow.seconds);
  json.field("first", flow.first);
  json.field("last", flow.last);
  json.key("sizes");
  json.open_array();
  for (const std::int64_t count : flow.sizes) json.value(count);
  json.close();
  json.close();
}

// Time in calls that reach the file system; MPI-IO's is in POSIX's.
double seconds_of(const Run& run, const FileUse& file) {
  double seconds = run.extra(file).seconds;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    if (const auto use = run.use(file, layer)) seconds += use->seconds();
  }
  return seconds;
}

void write_file(JsonWriter& json, const Run& run, const FileUse& file, std::span<const analyze::SiteUse> sites) {
  Use sum;
  std::int64_t ranks = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    const auto use = run.use(file, layer);
    if (!use) continue;
    sum.read.bytes += use->read.bytes, sum.write.bytes += use->write.bytes, sum.opens += use->opens;
    ranks = std::max(ranks, use->ranks);
  }
  const log::Mount* mount = run.job->mount_of(file.name);
  json.line();
  json.open_object();
  json.field("name", file.name);
  json.field("mount", mount != nullptr ? std::string_view(mount->path) : "");
  json.field("fs", mount != nullptr ? std::string_view(mount->type) : "");
  json.field("seconds", seconds_of(run, file));
  json.field("bytes_read", sum.read.bytes);
  json.field("bytes_written", sum.write.bytes);
  json.field("opens", sum.opens);
  json.field("ranks", ranks);
  write_layout(json, run, file);
  write_sites(json, sites);
  json.key("uses");
  json.open_object();
  for (const Layer layer : kAllLayers) {
    const auto use = run.use(file, layer);
    if (!use) continue;
    json.key(analyze::layer_name(layer));
    json.open_object();
    write_use_fields(json, *use);
    json.close();
  }
  json.close();
  json.close();
}

std::unordered_map<std::uint64_t, std::vector<analyze::SiteUse>> sites_by_file(const Run& run) {
  std::unordered_map<std::uint64_t, std::vector<analyze::SiteUse>> sites;
  for (const analyze::SiteUse& site : run.sites) {
    std::vector<analyze::SiteUse>& own = sites[site.file];
    if (own.size() < kMostSites) own.push_back(site);
  }
  return sites;
}

// Neighbours in time become one where there are more slices than a page has points.
void write_slices(JsonWriter& json, std::string_view name, const std::vector<std::int64_t>& slices, std::size_t join) {
  json.key(name);
  json.open_array();
  for (std::size_t at = 0; at < slices.size(); at += join) {
    std::int64_t sum = 0;
    for (std::size_t i = at; i < std::min(at + join, slices.size()); ++i) sum += slices[i];
    json.value(sum);
  }
  json.close();
}

void add_slices(std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& slices) {
  if (sum.size() < slices.size()) sum.resize(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) sum[i] += slices[i];
}

// So do neighbouring ranks: a row then stands for as many of them, from the one it is named by on.
void write_heat_rows(JsonWriter& json, const std::vector<const analyze::HeatRow*>& rows) {
  std::size_t slices = 0;
  for (const analyze::HeatRow* row : rows) slices = std::max(slices, row->written.size());
  const std::size_t join = std::max<std::size_t>(1, (slices + kMostSlices - 1) / kMostSlices);
  const std::size_t together = (rows.size() + kMostRows - 1) / kMostRows;
  json.field("width", rows.front()->width * static_cast<double>(join));
  json.field("ranks_a_row", static_cast<std::uint64_t>(together));
  json.key("rows");
  json.open_array();
  for (std::size_t first = 0; first < rows.size(); first += together) {
    analyze::HeatRow sum{.interface = {}, .rank = rows[first]->rank, .width = 0, .written = {}, .read = {}};
    for (std::size_t i = first; i < std::min(first + together, rows.size()); ++i) {
      add_slices(sum.written, rows[i]->written);
      add_slices(sum.read, rows[i]->read);
    }
    json.line();
    json.open_object();
    json.field("rank", sum.rank);
    write_slices(json, "read", sum.read, join);
    write_slices(json, "written", sum.written, join);
    json.close();
  }
  json.close();
}

void write_processes(JsonWriter& json, const Run& run) {
  json.key("processes");
  json.open_array();
  for (std::size_t i = 0; i < std::min(run.processes.size(), kMostProcesses); ++i) {
    const analyze::ProcessRow& process = run.processes[i];
    json.line();
    json.open_object();
    json.field("pid", process.pid);
    json.field("parent", process.parent);
    json.field("rank", process.rank);
    json.field("start", process.start);
    json.field("end", process.end);
    json.field("exe", std::string_view(process.exe));
    json.field("command", std::string_view(process.command));
    json.field("ended", std::string_view(process.ended));
    json.field("status", process.status);
    json.close();
  }
  json.close();
  json.field("processes_total", static_cast<std::uint64_t>(run.processes.size()));
}

void write_phases(JsonWriter& json, const Run& run) {
  json.key("phases");
  json.open_array();
  for (std::size_t i = 0; i < std::min(run.phases.size(), kMostProcesses); ++i) {
    const analyze::PhaseRow& phase = run.phases[i];
    json.open_object();
    json.field("name", std::string_view(phase.name));
    json.field("begin", phase.begin);
    json.field("end", phase.end);
    json.field("rank", phase.rank);
    json.close();
  }
  json.close();
}

void write_unseen_and_errors(JsonWriter& json, const Run& run) {
  json.key("unseen");
  json.open_array();
  for (const analyze::UnseenProgram& program : run.unseen) {
    if (!is_unseen_program(program.why)) continue;  // among the warnings
    json.open_object();
    json.field("exe", std::string_view(program.exe));
    json.field("why", std::string_view(program.why));
    json.field("count", program.count);
    json.close();
  }
  json.close();
  std::map<std::uint64_t, std::string_view> names;
  for (const FileUse& file : run.files) {
    if (run.extra(file).errors > 0) names[file.id] = file.name;
  }
  json.key("errors");
  json.open_array();
  for (std::size_t i = 0; i < std::min(run.errors.size(), kMostProcesses); ++i) {
    const analyze::ErrorCount& error = run.errors[i];
    json.open_object();
    const auto name = names.find(error.file);
    json.field("file", name != names.end() ? name->second : std::string_view());
    json.field("what", std::string_view(error.what));
    json.field("count", error.count);
    json.close();
  }
  json.close();
}

}  // namespace

void write_sites(JsonWriter& json, std::span<const analyze::SiteUse> sites) {
  if (sites.empty()) return;
  json.key("sites");
  json.open_array();
  for (const analyze::SiteUse& site : sites) {
    json.open_object();
    json.field("location", std::string_view(analyze::site_text(site)));
    json.field("source", std::string_view(site.source));
    json.field("line", site.line);
    json.field("function", std::string_view(site.function));
    json.field("object", std::string_view(site.object));
    json.field("interface", std::string_view(site.interface));
    json.field("operation", std::string_view(site.operation));
    json.field("count", site.count);
    json.field("bytes", site.bytes);
    json.field("seconds", site.seconds);
    json.close();
  }
  json.close();
}

void write_use_fields(JsonWriter& json, const Use& use) {
  json.field("opens", use.opens);
  json.field("stats", use.stats);
  json.field("seeks", use.seeks);
  json.field("syncs", use.syncs);
  json.field("switches", use.switches);
  json.field("misaligned", use.misaligned_file);
  write_flow(json, "read", use.read);
  write_flow(json, "write", use.write);
  json.field("meta_seconds", use.meta_seconds);
  json.field("slowest_rank", use.slowest_rank);
  json.field("slowest_seconds", use.slowest_seconds);
  json.field("fastest_seconds", use.fastest_seconds);
  json.key("common_sizes");
  json.open_array();
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    if (use.common_counts[i] == 0) continue;
    json.open_array();
    json.value(use.common_sizes[i]);
    json.value(use.common_counts[i]);
    json.close();
  }
  json.close();
}

void write_file_list(JsonWriter& json, const Run& run) {
  std::vector<std::pair<double, const FileUse*>> slowest;
  slowest.reserve(run.files.size());
  for (const FileUse& file : run.files) slowest.emplace_back(seconds_of(run, file), &file);
  const std::size_t shown = std::min(slowest.size(), kMostFiles);
  std::ranges::partial_sort(slowest, slowest.begin() + static_cast<std::ptrdiff_t>(shown), std::greater<>());
  json.key("files");
  json.open_array();
  const auto sites = sites_by_file(run);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto own = sites.find(slowest[i].second->id);
    write_file(json, run, *slowest[i].second, own != sites.end() ? own->second : std::vector<analyze::SiteUse>());
  }
  json.close();
  json.field("files_total", static_cast<std::uint64_t>(run.files.size()));
}

void write_rank_list(JsonWriter& json, const Run& run) {
  json.key("ranks");
  json.open_array();
  for (const analyze::RankUse& rank : run.ranks) {
    json.line();
    json.open_object();
    json.field("rank", rank.rank);
    json.field("bytes_read", rank.bytes_read);
    json.field("bytes_written", rank.bytes_written);
    json.field("calls", rank.calls);
    json.field("files", rank.files);
    json.field("read_seconds", rank.read_seconds);
    json.field("write_seconds", rank.write_seconds);
    json.field("meta_seconds", rank.meta_seconds);
    json.close();
  }
  json.close();
}

void write_heat(JsonWriter& json, const Run& run) {
  std::map<std::string, std::vector<const analyze::HeatRow*>> interfaces;
  for (const analyze::HeatRow& row : run.heat) interfaces[row.interface].push_back(&row);
  json.key("heat");
  json.open_array();
  for (const auto& [name, rows] : interfaces) {
    json.open_object();
    json.field("interface", std::string_view(name));
    write_heat_rows(json, rows);
    json.close();
  }
  json.close();
}

void write_process_lists(JsonWriter& json, const Run& run) {
  write_processes(json, run);
  write_phases(json, run);
  write_unseen_and_errors(json, run);
  json.key("mounts");
  json.open_array();
  for (const log::Mount& mount : run.job->mounts) {
    json.open_object();
    json.field("path", std::string_view(mount.path));
    json.field("type", std::string_view(mount.type));
    json.close();
  }
  json.close();
}

}  // namespace trikal::report
