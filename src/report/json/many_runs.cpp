#include "report/json/many_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/dataset/internal_files.hpp"
#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"
#include "report/json/writer.hpp"
#include "report/text/program_name.hpp"

namespace trikal::report {

template <>
struct Shape<RankedRun> {
  using Row = RankedRun;
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"log", &Row::path},
      Field{"program", &Row::program},
      Field{"nprocs", &Row::nprocs},
      Field{"seconds", &Row::seconds},
      Field{"io_seconds", &Row::io_seconds},
      Field{"bytes_read", &Row::bytes_read},
      Field{"bytes_written", &Row::bytes_written},
      Field{"files", &Row::files},
      Field{"bytes_per_io_second", &Row::rate},
      Field{"incomplete", &Row::incomplete},
      Field{"worst_finding", &Row::worst},
      Field{"worst_finding_seconds", &Row::worst_seconds},
  };
};
template <>
struct Shape<RankedFile> {
  using Row = RankedFile;
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &Row::name},
      Field{"runs", &Row::runs},
      Field{"seconds", &Row::seconds},
      Field{"opens", &Row::opens},
      Field{"reads", &Row::reads},
      Field{"writes", &Row::writes},
      Field{"bytes_read", &Row::bytes_read},
      Field{"bytes_written", &Row::bytes_written},
  };
};

namespace {

struct RunList {
  std::span<const RankedRun> runs;
};
struct FileList {
  std::span<const RankedFile> files;
};

template <class T, class Key>
void sort_by(std::vector<T>& rows, const Key& key) {
  std::ranges::stable_sort(rows, std::greater<>(), key);
}

}  // namespace

template <>
struct Shape<RunList> {
  static constexpr std::tuple kFields{
      Field{"schema", [](const RunList&) { return "trikal-runs 1"; }},
      Field{"runs", [](const RunList& list) { return list.runs; }},
  };
};
template <>
struct Shape<FileList> {
  static constexpr std::tuple kFields{
      Field{"schema", [](const FileList&) { return "trikal-files 1"; }},
      Field{"files", [](const FileList& list) { return list.files; }},
  };
};

RankedRun ranked(const analyze::Run& run, std::span<const analyze::Finding> findings, std::string path) {
  RankedRun row{.path = std::move(path),
                .program = program_name(run),
                .nprocs = run.job->nprocs,
                .files = analyze::program_files(run),
                .bytes_read = run.bytes_read(),
                .bytes_written = run.bytes_written(),
                .seconds = run.seconds,
                .io_seconds = run.io_seconds(),
                .incomplete = !run.incomplete.empty()};
  if (!findings.empty() && findings.front().seconds > 0)
    row.worst = findings.front().code, row.worst_seconds = findings.front().seconds;
  return row;
}

void RankedFiles::add(const analyze::Run& run) {
  for (const analyze::FileUse& file : run.files) {  // the totals of those that share a record count, too
    RankedFile* row = nullptr;
    for (const analyze::Layer layer : {analyze::Layer::kPosix, analyze::Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use) continue;
      if (row == nullptr) {
        row = &files_[std::string(file.name)];
        row->runs += 1;
      }
      row->opens += use->opens, row->reads += use->read.calls, row->writes += use->write.calls;
      row->bytes_read += use->read.bytes, row->bytes_written += use->write.bytes, row->seconds += use->seconds();
    }
  }
}

std::vector<RankedFile> RankedFiles::take() {
  std::vector<RankedFile> rows;
  rows.reserve(files_.size());
  for (auto& [name, file] : files_) {
    rows.push_back(std::move(file));
    rows.back().name = name;
  }
  files_.clear();
  return rows;
}

void rank(std::vector<RankedRun>& runs, std::string_view order) {
  if (order == "share")
    return sort_by(runs, [](const RankedRun& run) { return run.seconds > 0 ? run.io_seconds / run.seconds : 0; });
  if (order == "bytes") return sort_by(runs, &RankedRun::bytes);
  if (order == "files") return sort_by(runs, &RankedRun::files);
  if (order == "rate") return std::ranges::stable_sort(runs, {}, &RankedRun::rate), void();
  if (order == "finding") return sort_by(runs, &RankedRun::worst_seconds);
  sort_by(runs, &RankedRun::io_seconds);
}

void rank(std::vector<RankedFile>& files, std::string_view order) {
  if (order == "bytes") return sort_by(files, &RankedFile::bytes);
  if (order == "reads") return sort_by(files, &RankedFile::reads);
  if (order == "writes") return sort_by(files, &RankedFile::writes);
  if (order == "opens") return sort_by(files, &RankedFile::opens);
  if (order == "runs") return sort_by(files, &RankedFile::runs);
  sort_by(files, &RankedFile::seconds);
}

void write_ranked(Sink& out, std::span<const RankedRun> runs, std::size_t most) {
  using analyze::grouped, analyze::sized, analyze::timed;
  out.put(fmt::format("{:>10}{:>10}{:>6}{:>11}{:>11}{:>9}{:>13}  {:<30} log\n", "I/O", "run", "I/O", "read", "written",
                      "files", "rate", "costs most"));
  for (const RankedRun& run : runs.first(std::min(runs.size(), most))) {
    const double share = run.seconds > 0 ? 100 * run.io_seconds / run.seconds : 0;
    const std::string worst = run.worst.empty() ? "-" : fmt::format("{} {}", run.worst, timed(run.worst_seconds));
    out.put(fmt::format("{:>10}{:>10}{:>4.0f} %{:>11}{:>11}{:>9}{:>11}/s  {:<30} {}{}\n", timed(run.io_seconds),
                        timed(run.seconds), share, sized(static_cast<double>(run.bytes_read)),
                        sized(static_cast<double>(run.bytes_written)), grouped(run.files), sized(run.rate()), worst,
                        printable(run.path), run.incomplete ? " (incomplete)" : ""));
  }
  if (runs.size() > most) out.put(fmt::format("and {} more logs (--top)\n", runs.size() - most));
}

void write_ranked(Sink& out, std::span<const RankedFile> files, std::size_t most) {
  using analyze::grouped, analyze::sized, analyze::timed;
  out.put(fmt::format("{:>10}{:>11}{:>11}{:>11}{:>11}{:>9}{:>6}  file\n", "time", "read", "written", "reads", "writes",
                      "opens", "runs"));
  for (const RankedFile& file : files.first(std::min(files.size(), most)))
    out.put(fmt::format("{:>10}{:>11}{:>11}{:>11}{:>11}{:>9}{:>6}  {}\n", timed(file.seconds),
                        sized(static_cast<double>(file.bytes_read)), sized(static_cast<double>(file.bytes_written)),
                        grouped(file.reads), grouped(file.writes), grouped(file.opens), grouped(file.runs),
                        file.name.empty() ? "(no name)" : printable(file.name)));
  if (files.size() > most) out.put(fmt::format("and {} more files (--top)\n", files.size() - most));
}

void write_ranked_json(Sink& out, std::span<const RankedRun> runs) {
  JsonWriter json(out);
  put(json, RunList{runs});
  out.put("\n");
}

void write_ranked_json(Sink& out, std::span<const RankedFile> files) {
  JsonWriter json(out);
  put(json, FileList{files});
  out.put("\n");
}

}  // namespace trikal::report
