#include "report/text/totals.hpp"

#include <fmt/format.h>

#include "base/wrapping.hpp"
#include "schema/counter.hpp"

namespace trikal::report {
namespace {

using analyze::FileClass;
using analyze::FileCounts;

void write_file_line(Sink& out, std::string_view label, const FileCounts& files) {
  out.put(fmt::format("# {}: {} {} {}\n", label, files.count, wrap_add(files.total_read, files.total_written),
                      files.max_offset));
}

}  // namespace

void write_counter_help(Sink& out, const ModuleSchema& schema) {
  out.put(fmt::format("\n# description of {} counters:\n", schema.name));
  for (const Counter& counter : schema.counters) {
    std::string name(counter.name);
    if (const std::size_t mark = name.find('#'); mark != std::string::npos) name.replace(mark, 1, "*");
    out.put(fmt::format("#   {}: {}.\n", name, counter.help));
  }
}

void write_version_note(Sink& out, const ModuleSchema& schema, std::uint32_t version) {
  if (version >= schema.version) return;
  out.put(fmt::format("# *NOTE*: these records are of version {}; what only version {} has is shown as -1.\n", version,
                      schema.version));
}

void write_totals(Sink& out, const analyze::Accumulator& accumulator) {
  const ModuleSchema& schema = accumulator.schema();
  write_counter_help(out, schema);
  out.put("\n");
  const std::byte* at = accumulator.total().data() + schema.counters_at;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, at += 8) {
      out.put("total_" + bucket_name(counter, i) + ": ");
      switch (counter.kind) {
        case Kind::kInt:
        case Kind::kUint: out.put_int(load<std::int64_t>(at)); break;
        case Kind::kReal: out.put_fixed6(load<double>(at)); break;
      }
      out.put("\n");
    }
  }
}

void write_file_counts(Sink& out, const analyze::Derived& derived) {
  const auto of = [&](FileClass which) { return derived.files[static_cast<std::size_t>(which)]; };
  out.put(
      "\n# Total file counts\n# -----\n"
      "# <file_type>: which files are counted\n"
      "#    read_only, write_only, read_write: by what was done with them\n"
      "#    unique: used by one process; shared: used by several\n"
      "# <file_count>: how many different files\n"
      "# <total_bytes>: bytes read from and written to them\n"
      "# <max_byte_offset>: the highest offset reached in any of them (-1: not known to this module)\n"
      "#    shared adds files of all processes and files of some\n"
      "#    a file without a byte moved is in none of the first three\n"
      "\n# <file_type> <file_count> <total_bytes> <max_byte_offset>\n");
  write_file_line(out, "total", of(FileClass::kAll));
  write_file_line(out, "read_only", of(FileClass::kReadOnly));
  write_file_line(out, "write_only", of(FileClass::kWriteOnly));
  write_file_line(out, "read_write", of(FileClass::kReadWrite));
  write_file_line(out, "unique", of(FileClass::kUnique));
  FileCounts shared = of(FileClass::kShared);
  const FileCounts part = of(FileClass::kPartShared);
  shared.count += part.count;
  shared.total_read = wrap_add(shared.total_read, part.total_read);
  shared.total_written = wrap_add(shared.total_written, part.total_written);
  shared.max_offset = wrap_add(shared.max_offset, part.max_offset);  // as the original does: the two maxima are added
  write_file_line(out, "shared", shared);
}

void write_performance(Sink& out, const analyze::Derived& d) {
  constexpr std::string_view kDots = "# ...........................\n";
  out.put("\n# performance\n# -----------\n");
  out.put(fmt::format("# total_bytes: {}\n#\n", d.total_bytes));
  out.put("# I/O timing for unique files (seconds):\n");
  out.put(kDots);
  out.put(fmt::format("# unique files: slowest_rank_io_time: {:f}\n", d.unique_io_time));
  out.put(fmt::format("# unique files: slowest_rank_meta_only_time: {:f}\n", d.unique_meta_time));
  out.put(fmt::format("# unique files: slowest_rank_rw_only_time: {:f}\n", d.unique_rw_time));
  out.put(fmt::format("# unique files: slowest_rank: {}\n#\n", d.slowest_rank));
  out.put("# I/O timing for shared files (seconds):\n");
  out.put(kDots);
  out.put(fmt::format("# shared files: time_by_slowest: {:f}\n#\n", d.shared_time_by_slowest));
  out.put("# Aggregate performance, including both shared and unique files:\n");
  out.put(kDots);
  out.put(fmt::format("# agg_time_by_slowest: {:f} # seconds\n", d.agg_time));
  out.put(fmt::format("# agg_perf_by_slowest: {:f} # MiB/s\n", d.agg_perf));
}

}  // namespace trikal::report
