#include "report/text/run_summary.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "analyze/metrics/accumulator.hpp"
#include "modules/list.hpp"

namespace trikal::report {
namespace {

// What all modules that move bytes did together.
struct Volume {
  double read = 0, written = 0;   // bytes
  double io_time = 0, meta_time = 0;  // of the slowest process
  std::unordered_set<std::uint64_t> files;
};

Status add_module(log::Reader& reader, const ModuleSchema& schema, Volume& volume) {
  auto records = reader.records(schema.id);
  if (!records) return records.error().code == ErrorCode::kMissing ? Status{} : records.error();
  analyze::Accumulator totals(schema, reader.job().nprocs, analyze::Accumulator::Files::kSkip);
  log::Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    if (!more) return more.error();
    if (!*more) break;
    for (std::size_t i = 0; i < batch.count; ++i) {
      totals.add(batch.record(i, schema));
      volume.files.insert(load<std::uint64_t>(batch.record(i, schema)));
    }
  }
  const std::byte* sum = totals.total().data() + schema.counters_at;
  volume.read += static_cast<double>(load<std::int64_t>(sum + 8 * schema.roles.bytes_read));
  volume.written += static_cast<double>(load<std::int64_t>(sum + 8 * schema.roles.bytes_written));
  const analyze::Derived derived = totals.derived();
  volume.io_time += derived.agg_time;
  volume.meta_time += derived.unique_meta_time;
  return {};
}

std::string program_name(std::string_view command) {
  const std::string_view first = command.substr(0, command.find(' '));
  return std::string(first.substr(first.rfind('/') + 1));
}

}  // namespace

std::string human_bytes(double bytes) {
  static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.2f} {}", bytes, kUnits[unit]);
}

Status write_run_summary(Sink& out, log::Reader& reader, const RunFacts& facts) {
  Volume volume;
  for (const char* name : {"POSIX", "STDIO"}) {  // the layers that reach the file system; MPI-IO works through them
    const Status added = add_module(reader, *find_module(name)->schema, volume);
    if (!added) return added;
  }
  const double run_time = reader.job().run_time();
  const double share = run_time > 0 ? 100 * volume.io_time / run_time : 0;
  out.put(fmt::format(
      "\ntrikal   {} · {} · {:.2f} s, {:.0f} % of it in I/O   {} ({})\n", program_name(reader.job().exe),
      facts.processes == 1 ? "1 process" : fmt::format("{} processes, {} with I/O", facts.processes, facts.with_io),
      run_time, share, facts.log_path, human_bytes(static_cast<double>(reader.file_size()))));
  out.put(fmt::format("         wrote {} · read {} · {} files · metadata {:.3f} s\n", human_bytes(volume.written),
                      human_bytes(volume.read), volume.files.size(), volume.meta_time));
  if (facts.still_running > 0)
    out.put(fmt::format("         {} processes were still running when this was written\n", facts.still_running));
  return {};
}

}  // namespace trikal::report
