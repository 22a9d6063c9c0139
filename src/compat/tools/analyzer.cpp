// darshan-analyzer: how the jobs of a directory of logs did their I/O, in a few numbers.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "analyze/metrics/accumulator.hpp"
#include "base/utf8.hpp"
#include "compat/tools/log_tool.hpp"
#include "compat/tools/personality.hpp"
#include "log/read/extension_modules.hpp"
#include "modules/list.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-analyzer";
constexpr std::size_t kBuckets = 5;

struct Counts {
  int total = 0, shared = 0, per_process = 0, mpiio = 0, pnetcdf = 0, hdf5 = 0;
  std::array<int, kBuckets> by_io_share{};
};

bool has(const log::Reader& reader, std::string_view module) {
  const ModuleFormat* format = find_module(module);
  return format != nullptr && reader.header().modules[format->schema->id].length > 0;
}

// What the POSIX records of a log say together.
Result<analyze::Derived> posix_of(log::Reader& reader) {
  const ModuleSchema& schema = *find_module("POSIX")->schema;
  analyze::Accumulator sums(schema, reader.job().nprocs, analyze::Accumulator::Files::kCount);
  auto records = reader.records(schema.id);
  if (!records) return records.error();
  for (log::Batch batch;;) {
    auto more = (*records)->next(batch);
    if (!more) return more.error();
    if (!*more) return sums.derived();
    for (std::size_t i = 0; i < batch.count; ++i) sums.add(batch.bytes.data() + i * schema.head_bytes);
    if (sums.bytes() > reader.options().limits.memory)
      return Error{.code = ErrorCode::kLimit, .what = "there are more ranks and files than the limit allows to count"};
  }
}

void add_files(const analyze::Derived& posix, std::int64_t processes, Counts& counts) {
  const auto files = [&](analyze::FileClass one) { return posix.files[static_cast<std::size_t>(one)].count; };
  if (files(analyze::FileClass::kShared) + files(analyze::FileClass::kPartShared) > 0) ++counts.shared;
  if (processes > 1 && files(analyze::FileClass::kUnique) >= processes) ++counts.per_process;
}

Status add_log(const std::string& path, Counts& counts) {
  auto source = log::open_file(path);
  if (!source) return source.error();
  log::hide_extension_modules();
  auto reader = log::Reader::open(std::move(*source));
  if (!reader) return reader.error();
  double share = 0;
  if (has(**reader, "POSIX")) {
    const auto posix = posix_of(**reader);
    if (!posix) return posix.error();
    add_files(*posix, (*reader)->job().nprocs, counts);
    if ((*reader)->job().run_time() > 0) share = posix->agg_time / (*reader)->job().run_time();
  }
  ++counts.total;
  counts.mpiio += has(**reader, "MPI-IO") ? 1 : 0;
  counts.pnetcdf += has(**reader, "PNETCDF_FILE") || has(**reader, "PNETCDF_VAR") ? 1 : 0;
  counts.hdf5 += has(**reader, "H5F") || has(**reader, "H5D") ? 1 : 0;
  const double bucket = std::clamp(share, 0.0, 1.0) * static_cast<double>(kBuckets);
  ++counts.by_io_share[std::min(static_cast<std::size_t>(bucket), kBuckets - 1)];
  return {};
}

void print(const std::string& directory, const Counts& counts) {
  const auto line = [&](std::string_view name, int count) {
    fmt::print("{:>8}: {:.3f} [{}]\n", name, counts.total > 0 ? static_cast<double>(count) / counts.total : 0.0, count);
  };
  fmt::print("log dir: {}\ntotal logs: {}\n", printable(directory), counts.total);
  line("shared", counts.shared);
  line("f.p.p.", counts.per_process);
  line("MPI-IO", counts.mpiio);
  line("PnetCDF", counts.pnetcdf);
  line("HDF5", counts.hdf5);
  fmt::print("logs by the share of POSIX I/O in the run time:\n");
  for (std::size_t i = 0; i < kBuckets; ++i)
    line(fmt::format("{}-{} %", i * 100 / kBuckets, (i + 1) * 100 / kBuckets), counts.by_io_share[i]);
}

}  // namespace

int run_analyzer(int argc, char** argv) {
  const CommandLine line{.name = kName,
                         .operands = "DIRECTORY",
                         .summary = "Counts how the jobs of all logs below a directory did their I/O.",
                         .flags = {},
                         .settings = {},
                         .misused = kFailed};
  std::vector<std::string> operands;
  int exit_code = 0;
  if (!read_command_line(line, argc, argv, operands, exit_code)) return exit_code;
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> paths;
  for (auto at = fs::recursive_directory_iterator(operands.front(), error); !error && at != fs::end(at);
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) paths.push_back(at->path().string());
  }
  if (error) return warn(kName, operands.front(), error.message()), kFailed;
  std::ranges::sort(paths);
  Counts counts;
  for (const std::string& path : paths) {
    if (const Status added = add_log(path, counts); !added) complain(kName, path, added.error());  // and go on
  }
  print(operands.front(), counts);
  return 0;
}

}  // namespace trikal::compat
