#include "report/text/summary.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "analyze/dataset/internal_files.hpp"
#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"
#include "modules/list.hpp"
#include "report/text/findings.hpp"
#include "report/text/program_name.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::Flow;
using analyze::grouped;
using analyze::Layer;
using analyze::Run;
using analyze::sized;
using analyze::timed;
using analyze::Use;

constexpr std::array kAllLayers = {Layer::kPosix, Layer::kStdio, Layer::kMpiio};

std::string bar(double share, std::size_t width) {
  if (!(share > 0)) share = 0;  // a log may say anything
  const auto filled = static_cast<std::size_t>(std::min(share, 1.0) * static_cast<double>(width) + 0.5);
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < filled ? "█" : "·";
  return text;
}

void write_head(Sink& out, const Run& run, const LogFacts& facts) {
  const log::Job& job = *run.job;
  const auto start = static_cast<std::time_t>(job.start_sec);
  std::tm utc{};
  gmtime_r(&start, &utc);
  out.put(program_name(run), Style::kStrong);
  out.put(fmt::format(" · {} process{} · user {} · job {} · {:%Y-%m-%d %H:%M:%S} UTC\n", grouped(job.nprocs),
                      job.nprocs == 1 ? "" : "es", job.uid, job.job_id, utc));
  const double share = run.seconds > 0 ? 100 * run.io_seconds() / run.seconds : 0;
  out.put(fmt::format("{}{}, {}{:.0f} % of it in I/O ({} on the slowest rank)   {} ({})\n",
                      run.at_least ? "at least " : "", timed(run.seconds), run.at_least ? "at most " : "", share,
                      timed(run.io_seconds()), printable(facts.path), sized(static_cast<double>(facts.bytes))));
}

void write_layers(Sink& out, const Run& run) {
  out.put("\n          files        read     written      read s     write s      meta s   MiB/s by slowest\n");
  for (const Layer layer : kAllLayers) {
    const analyze::LayerSum& sum = run.layer(layer);
    if (!sum.present) continue;
    const Use& total = sum.total;
    out.put(fmt::format("{:<7}{:>8}{:>12}{:>12}{:>12.3f}{:>12.3f}{:>12.3f}{:>19.1f}\n", analyze::layer_name(layer),
                        grouped(static_cast<std::int64_t>(run.uses[static_cast<std::size_t>(layer)].size())),
                        sized(static_cast<double>(total.read.bytes)), sized(static_cast<double>(total.write.bytes)),
                        total.read.seconds, total.write.seconds, total.meta_seconds, sum.derived.agg_perf));
  }
}

// Under the same heads as the layers. What moved no bytes has no rate: HDF5's files, whose bytes are the datasets'.
std::string rate_of(const analyze::LibrarySum& sum) {
  constexpr double kMiB = 1024.0 * 1024;
  const double bytes = static_cast<double>(sum.bytes_read) + static_cast<double>(sum.bytes_written);
  return bytes > 0 && sum.slowest_seconds > 0 ? fmt::format("{:.1f}", bytes / kMiB / sum.slowest_seconds) : "-";
}

// Libraries work through POSIX: their bytes are in the rows above.
void write_libraries(Sink& out, const Run& run) {
  constexpr std::size_t kNameAndCount = 15;
  for (const analyze::LibrarySum& sum : run.libraries.sums) {
    const std::string count = grouped(sum.records);
    const std::size_t left = std::max(kNameAndCount - std::min(kNameAndCount, sum.name.size()), count.size() + 1);
    out.put(fmt::format("{}{:>{}}{:>12}{:>12}{:>12.3f}{:>12.3f}{:>12.3f}{:>19}\n", sum.name, count, left,
                        sized(static_cast<double>(sum.bytes_read)), sized(static_cast<double>(sum.bytes_written)),
                        sum.read_seconds, sum.write_seconds, sum.meta_seconds, rate_of(sum)));
  }
  const analyze::MessageTime& messages = run.libraries.messages;
  if (messages.ranks > 0)
    out.put(fmt::format("MPI calls: {} on average, {} on rank {}, the slowest\n",
                        timed(messages.all / static_cast<double>(messages.ranks)), timed(messages.slowest),
                        messages.slowest_rank));
}

void write_time_by_layer(Sink& out, const Run& run) {
  const std::vector<analyze::LayerTime> layers = analyze::time_by_layer(run);
  if (layers.size() < 2) return;
  double all = 0;
  for (const analyze::LayerTime& layer : layers) all += layer.all;
  if (all <= 0) return;
  out.put("\ntime in I/O by layer, each without what it calls below\n");
  for (const analyze::LayerTime& layer : layers)
    out.put(fmt::format("  {:<11} {} {:>3.0f} %  {} of all ranks, {} on the slowest with what is below\n", layer.name,
                        bar(layer.all / all, 20), 100 * layer.all / all, timed(layer.all), timed(layer.slowest)));
}

// Their files and bytes are those of the interfaces below them, which the table has.
void write_extensions(Sink& out, const Run& run) {
  std::string names;
  for (const std::string& name : run.modules) {
    const ModuleFormat* module = find_module(name);
    if (module != nullptr && module->schema->id >= kKnownModules) names += (names.empty() ? "" : ", ") + name;
  }
  if (!names.empty()) out.put(fmt::format("also counted: {} (trikal parse, trikal export)\n", names));
}

void write_sizes(Sink& out, const Run& run) {
  const Use& total = run.layer(Layer::kPosix).total;
  const std::int64_t reads = total.read.calls, writes = total.write.calls;
  if (reads + writes == 0) return;
  static constexpr std::array kNames = {"< 100 B", "< 1 KiB",  "< 10 KiB",  "< 100 KiB", "< 1 MiB",
                                        "< 4 MiB", "< 10 MiB", "< 100 MiB", "< 1 GiB",   ">= 1 GiB"};
  out.put(fmt::format("\nPOSIX sizes   {:<31}{}\n", grouped(reads) + " reads", grouped(writes) + " writes"));
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (total.read.sizes[i] == 0 && total.write.sizes[i] == 0) continue;
    const double read = share(total.read.sizes[i], reads), written = share(total.write.sizes[i], writes);
    out.put(fmt::format("  {:<11} {} {:>3.0f} %     {} {:>3.0f} %\n", kNames[i], bar(read, 20), 100 * read,
                        bar(written, 20), 100 * written));
  }
  for (const auto& [name, part] :
       {std::pair{"in order", &Flow::sequential}, std::pair{"gapless", &Flow::consecutive}}) {
    const double read = share(total.read.*part, reads), written = share(total.write.*part, writes);
    out.put(fmt::format("  {:<11} {} {:>3.0f} %     {} {:>3.0f} %\n", name, bar(read, 20), 100 * read, bar(written, 20),
                        100 * written));
  }
}

// ", of it 1.20 s in HDF5, 0.31 s in MPI-IO"; what is left is POSIX's.
std::string above_posix(const Run& run, const analyze::FileUse& file) {
  std::string text;
  for (const analyze::LayerTime& layer : analyze::time_by_layer(run, file)) {
    if (layer.name != layer_name(Layer::kPosix))
      text += fmt::format("{}{} in {}", text.empty() ? ", of it " : ", ", timed(layer.all), layer.name);
  }
  return text;
}

void write_slowest_files(Sink& out, const Run& run) {
  constexpr std::size_t kShown = 5;
  struct Row {
    double seconds = 0;
    std::int64_t read = 0, written = 0;
    const analyze::FileUse* file = nullptr;
  };
  std::vector<Row> rows;
  for (const analyze::FileUse& file : run.files) {
    if (!file.is_opened() || analyze::is_internal_file(file.name)) continue;
    Row row{.seconds = analyze::file_seconds(run, file), .file = &file};
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use) continue;
      row.read += use->read.bytes, row.written += use->write.bytes;
    }
    rows.push_back(row);
  }
  const std::size_t shown = std::min(kShown, rows.size());
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(shown), std::greater<>(), &Row::seconds);
  const std::int64_t files = analyze::program_files(run), internal = analyze::internal_files(run);
  if (shown > 0)
    out.put(fmt::format("\nslowest of {} file{}{}\n", grouped(files), files == 1 ? "" : "s",
                        internal > 0 ? fmt::format(" ({} more: MPI's own or trikal's)", grouped(internal)) : ""));
  for (std::size_t i = 0; i < shown; ++i) {
    const analyze::FileUse& file = *rows[i].file;
    out.put(fmt::format("  {:>9}  read {:>10}  written {:>10}  {}{}\n", timed(rows[i].seconds),
                        sized(static_cast<double>(rows[i].read)), sized(static_cast<double>(rows[i].written)),
                        file.name.empty() ? "(no name)" : printable(file.name), above_posix(run, file)));
  }
}

}  // namespace

void write_summary(Sink& out, const Run& run, std::span<const analyze::Finding> findings, const LogFacts& facts) {
  constexpr std::size_t kTop = 3;
  write_head(out, run, facts);
  // Before any figure: those below are of what was seen.
  for (const std::string& line : unseen_lines(run.unseen)) out.put(line + "\n", Style::kWarning);
  for (const std::string& warning : warnings_of(run)) out.put("warning: " + printable(warning) + "\n", Style::kWarning);
  write_layers(out, run);
  write_libraries(out, run);
  write_time_by_layer(out, run);
  write_extensions(out, run);
  write_sizes(out, run);
  write_slowest_files(out, run);
  if (findings.empty()) out.put("\nno findings: nothing in this log looks slow or wrong\n");
  write_top_findings(out, findings, kTop);
}

}  // namespace trikal::report
