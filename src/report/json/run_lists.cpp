#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyze/dataset/internal_files.hpp"
#include "base/program_kind.hpp"
#include "report/json/report_shapes.hpp"

namespace trikal::report {
namespace {

using analyze::FileUse;
using analyze::Layer;
using analyze::Use;

constexpr std::size_t kMostFiles = 2000, kMostHeatRows = 256, kMostSlices = 200, kMostSites = 50;

Keyed<Use> uses_of(const Run& run, const FileUse& file) {
  return {[&run, &file](const auto& entry) {
    for (const Layer layer : {Layer::kPosix, Layer::kStdio, Layer::kMpiio})
      if (const auto use = run.use(file, layer)) entry(analyze::layer_name(layer), *use);
  }};
}

FileRow file_row(const Run& run, const FileUse& file, Sites sites) {
  Use sum;
  std::int64_t ranks = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    const auto use = run.use(file, layer);
    if (!use) continue;
    sum.read.bytes += use->read.bytes, sum.write.bytes += use->write.bytes, sum.opens += use->opens;
    ranks = std::max(ranks, use->ranks);
  }
  const log::Mount* mount = run.job->mount_of(file.name);
  std::vector<analyze::LayerTime> layers = analyze::time_by_layer(run, file);
  return {.name = file.name,
          .mount = mount != nullptr ? std::string_view(mount->path) : "",
          .fs = mount != nullptr ? std::string_view(mount->type) : "",
          .seconds = analyze::file_seconds(run, file),
          .bytes_read = sum.read.bytes,
          .bytes_written = sum.write.bytes,
          .opens = sum.opens,
          .ranks = ranks,
          .internal = analyze::is_internal_file(file.name) ? std::optional(true) : std::nullopt,
          .stripes = stripes_of(run, file),
          .sites = sites_if_any(sites),
          .layers = layers.empty() ? std::nullopt : std::optional(std::move(layers)),
          .uses = uses_of(run, file)};
}

std::unordered_map<std::uint64_t, std::vector<analyze::SiteUse>> sites_by_file(const Run& run) {
  std::unordered_map<std::uint64_t, std::vector<analyze::SiteUse>> sites;
  for (const analyze::SiteUse& site : run.sites) {
    std::vector<analyze::SiteUse>& own = sites[site.file];
    if (own.size() < kMostSites) own.push_back(site);
  }
  return sites;
}

std::vector<const FileUse*> slowest_files(const Run& run) {
  std::vector<std::pair<double, const FileUse*>> slowest;
  slowest.reserve(run.files.size());
  for (const FileUse& file : run.files)
    if (file.is_opened()) slowest.emplace_back(analyze::file_seconds(run, file), &file);
  const std::size_t shown = std::min(slowest.size(), kMostFiles);
  std::ranges::partial_sort(slowest, slowest.begin() + static_cast<std::ptrdiff_t>(shown), std::greater<>());
  std::vector<const FileUse*> files;
  files.reserve(shown);
  for (std::size_t i = 0; i < shown; ++i) files.push_back(slowest[i].second);
  return files;
}

// Neighbours in time become one where there are more slices than a page has points.
std::vector<std::int64_t> joined(const std::vector<std::int64_t>& slices, std::size_t join) {
  std::vector<std::int64_t> sums((slices.size() + join - 1) / join);
  for (std::size_t i = 0; i < slices.size(); ++i) sums[i / join] += slices[i];
  return sums;
}

void add_slices(std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& slices) {
  if (sum.size() < slices.size()) sum.resize(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) sum[i] += slices[i];
}

using HeatRows = std::vector<const analyze::HeatRow*>;

std::int64_t bytes_of(const HeatRows& rows) {
  std::int64_t bytes = 0;
  for (const analyze::HeatRow* row : rows) {
    for (const std::int64_t slice : row->written) bytes += slice;
    for (const std::int64_t slice : row->read) bytes += slice;
  }
  return bytes;
}

// A trace is finer than a heatmap, but may have been told to leave files out.
bool is_whole(const HeatRows& trace, const HeatRows& heatmap) {
  constexpr double kNearly = 0.99;
  return heatmap.empty() || static_cast<double>(bytes_of(trace)) >= kNearly * static_cast<double>(bytes_of(heatmap));
}

// So do neighbouring ranks: a row then stands for as many of them, from the one it is named by on.
Heat heat_map(std::string_view interface, const HeatRows& rows, bool from_trace) {
  std::size_t slices = 0;
  for (const analyze::HeatRow* row : rows) slices = std::max(slices, row->written.size());
  const std::size_t join = std::max<std::size_t>(1, (slices + kMostSlices - 1) / kMostSlices);
  const std::size_t together = (rows.size() + kMostHeatRows - 1) / kMostHeatRows;
  const auto each = [&rows, join, together](const auto& line) {
    for (std::size_t first = 0; first < rows.size(); first += together) {
      std::vector<std::int64_t> written, read;
      for (std::size_t i = first; i < std::min(first + together, rows.size()); ++i) {
        add_slices(written, rows[i]->written);
        add_slices(read, rows[i]->read);
      }
      line({.rank = rows[first]->rank, .read = joined(read, join), .written = joined(written, join)});
    }
  };
  return {.interface = interface,
          .width = rows.front()->width * static_cast<double>(join),
          .ranks_a_row = together,
          .from_trace = from_trace ? std::optional(true) : std::nullopt,
          .rows = {each}};
}

}  // namespace

Rows<FileRow> file_rows(const Run& run) {
  return {[&run](const auto& row) {
    const auto sites = sites_by_file(run);
    for (const FileUse* file : slowest_files(run)) {
      const auto own = sites.find(file->id);
      row(file_row(run, *file, own != sites.end() ? Sites(own->second) : Sites()));
    }
  }};
}

Rows<Heat> heat_maps(const Run& run) {
  return {[&run](const auto& map) {
    struct Both {
      HeatRows heatmap, trace;
    };
    std::map<std::string, Both> interfaces;
    for (const analyze::HeatRow& row : run.heat) interfaces[row.interface].heatmap.push_back(&row);
    for (const analyze::HeatRow& row : run.trace_heat) interfaces[row.interface].trace.push_back(&row);
    for (const auto& [name, rows] : interfaces) {
      const bool from_trace = !rows.trace.empty() && is_whole(rows.trace, rows.heatmap);
      map(heat_map(name, from_trace ? rows.trace : rows.heatmap, from_trace));
    }
  }};
}

Rows<analyze::UnseenProgram> unseen_programs(const Run& run) {
  return {[&run](const auto& row) {
    for (const analyze::UnseenProgram& program : run.unseen)
      if (is_unseen_program(program.why)) row(program);  // others are among the warnings
  }};
}

Rows<FailedCalls> failed_calls(const Run& run) {
  return {[&run](const auto& row) {
    std::map<std::uint64_t, std::string_view> names;
    for (const FileUse& file : run.files)
      if (run.extra(file).errors > 0) names[file.id] = file.name;
    for (const analyze::ErrorCount& error : first_rows(run.errors)) {
      const auto name = names.find(error.file);
      row({name != names.end() ? name->second : std::string_view(), error.what, error.count});
    }
  }};
}

}  // namespace trikal::report
