#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "analyze/dataset/internal_files.hpp"
#include "report/json/sum_shapes.hpp"

namespace trikal::report {
namespace {

using analyze::FileUse;
using analyze::Layer;
using analyze::Use;

constexpr std::size_t kMostDirectories = 30, kMostDatasets = 200;

// POSIX and streams together: MPI-IO works through the former.
struct Sum {
  std::int64_t read = 0, written = 0, opens = 0, size = 0;
};
Sum sum_of(const Run& run, const FileUse& file) {
  Sum sum;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    const auto use = run.use(file, layer);
    if (!use) continue;
    sum.read += use->read.bytes, sum.written += use->write.bytes, sum.opens += use->opens;
    sum.size = std::max({sum.size, use->read.end, use->write.end});
  }
  return sum;
}

// Files that the program asked for.
auto files_of_the_program(const Run& run) {
  return single_files(run) | std::views::filter([](const FileUse& file) {
           return file.is_opened() && !analyze::is_internal_file(file.name);
         });
}

// The first `depth` parts of the path of a file's directory, with their slashes.
std::string_view directory_of(std::string_view name, std::size_t depth) {
  const std::size_t last = name.rfind('/');
  if (last == std::string_view::npos) return {};
  const std::string_view whole = name.substr(0, last + 1);
  std::size_t at = 0;
  for (; depth > 0; --depth) {
    const std::size_t next = whole.find('/', at + 1);
    if (next == std::string_view::npos) return whole;
    at = next;
  }
  return whole.substr(0, at + 1);
}

std::size_t depth_that_fits(const Run& run) {
  constexpr std::size_t kDeepest = 12;
  std::size_t depth = 1;
  for (; depth < kDeepest; ++depth) {
    std::set<std::string_view> paths;
    for (const FileUse& file : files_of_the_program(run)) {
      paths.insert(directory_of(file.name, depth + 1));
      if (paths.size() > kMostDirectories) return depth;
    }
  }
  return depth;
}

}  // namespace

std::vector<FileKind> file_kinds(const Run& run) {
  std::array kinds = {FileKind{.use = "no data moved"}, FileKind{.use = "only read"}, FileKind{.use = "only written"},
                      FileKind{.use = "read and written"}};
  for (const FileUse& file : files_of_the_program(run)) {
    const Sum sum = sum_of(run, file);
    FileKind& kind = kinds[(sum.read > 0 ? 1U : 0U) + (sum.written > 0 ? 2U : 0U)];
    kind.files += 1;
    kind.bytes_read += sum.read, kind.bytes_written += sum.written;
    kind.seconds += analyze::file_seconds(run, file);
    kind.mean_size += (static_cast<double>(sum.size) - kind.mean_size) / static_cast<double>(kind.files);
    kind.largest_size = std::max(kind.largest_size, sum.size);
  }
  std::vector<FileKind> used;
  std::ranges::copy_if(kinds, std::back_inserter(used), [](const FileKind& kind) { return kind.files > 0; });
  return used;
}

std::vector<DirectoryRow> directories(const Run& run) {
  const std::size_t depth = depth_that_fits(run);
  std::map<std::string_view, DirectoryRow> rows;
  for (const FileUse& file : files_of_the_program(run)) {
    DirectoryRow& row = rows[directory_of(file.name, depth)];
    const Sum sum = sum_of(run, file);
    row.files += 1, row.opens += sum.opens;
    row.bytes_read += sum.read, row.bytes_written += sum.written;
    row.seconds += analyze::file_seconds(run, file);
  }
  std::vector<DirectoryRow> sorted;
  for (auto& [path, row] : rows) {
    row.path = path;
    sorted.push_back(std::move(row));
  }
  std::ranges::stable_sort(sorted, std::greater<>(), &DirectoryRow::seconds);
  // Names may have nothing in common at all.
  if (sorted.size() > kMostDirectories) sorted.resize(kMostDirectories);
  return sorted;
}

std::vector<ProgramRow> programs(const Run& run) {
  std::map<std::string_view, ProgramRow> rows;
  for (const analyze::ProcessRow& process : run.processes) {
    const auto [found, is_new] = rows.try_emplace(process.exe);
    ProgramRow& row = found->second;
    const double end = process.end > 0 ? process.end : run.seconds, life = std::max(0.0, end - process.start);
    row.exe = process.exe;
    row.processes += 1, row.failed += process.status != 0 ? 1 : 0;
    row.seconds += life, row.longest = std::max(row.longest, life);
    row.first = is_new ? process.start : std::min(row.first, process.start);
    row.last = std::max(row.last, end);
  }
  std::vector<ProgramRow> sorted;
  for (const auto& [exe, row] : rows) sorted.push_back(row);
  std::ranges::stable_sort(sorted, std::greater<>(), &ProgramRow::seconds);
  return sorted;
}

std::int64_t process_count(const Run& run) {
  const auto replaced = [](const analyze::ProcessRow& process) { return process.ended == "exec"; };
  std::unordered_set<std::int64_t> go_on, counted;
  for (const analyze::ProcessRow& process : run.processes)
    if (!replaced(process)) go_on.insert(process.pid);
  return std::ranges::count_if(run.processes, [&](const analyze::ProcessRow& process) {
    return !replaced(process) || (!go_on.contains(process.pid) && counted.insert(process.pid).second);
  });
}

std::vector<analyze::Dataset> slowest_datasets(const Run& run) {
  std::vector<const analyze::Dataset*> sorted;
  for (const analyze::Dataset& dataset : single_datasets(run)) sorted.push_back(&dataset);
  const std::size_t shown = std::min(sorted.size(), kMostDatasets);
  std::ranges::partial_sort(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(shown), std::greater<>(),
                            [](const analyze::Dataset* dataset) { return dataset->use.seconds(); });
  std::vector<analyze::Dataset> rows;
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(*sorted[i]);
  return rows;
}

}  // namespace trikal::report
