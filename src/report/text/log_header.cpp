#include "report/text/log_header.hpp"

#include <fmt/format.h>

#include <ctime>
#include <string>

#include "modules/list.hpp"

namespace trikal::report {
namespace {

constexpr std::string_view kRule = "# -------------------------------------------------------\n";

// As ctime, which fails on years beyond four digits.
std::string clock_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[64];
  if (localtime_r(&time, &parts) == nullptr || asctime_r(&parts, text) == nullptr) return "(no such time)\n";
  return text;
}

void write_regions(Sink& out, const log::Header& header) {
  out.put("\n# log file regions\n");
  out.put(kRule);
  out.put(fmt::format("# header: {} bytes (uncompressed)\n", log::NewHeader::kBytes));
  out.put(fmt::format("# job data: {} bytes (compressed)\n", header.job.length));
  out.put(fmt::format("# record table: {} bytes (compressed)\n", header.names.length));
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    const std::uint64_t length = header.modules[i].length;
    const std::uint32_t version = header.module_versions[i];
    if (length == 0 && !header.is_partial(i)) continue;
    if (find_module(static_cast<ModuleId>(i)) != nullptr) {
      out.put(fmt::format("# {} module: {} bytes (compressed), ver={}\n", module_name(i), length, version));
    } else {
      out.put(fmt::format("# <UNKNOWN> module (id {}): {} bytes (compressed), ver={}\n", i, length, version));
    }
  }
}

}  // namespace

std::string_view codec_name(log::Codec codec) {
  switch (codec) {
    case log::Codec::kZlib: return "ZLIB";
    case log::Codec::kBzip2: return "BZIP2";
    case log::Codec::kNone: return "NONE";
  }
  return "UNKNOWN";
}

std::string_view module_name(std::size_t id) {
  const ModuleFormat* module = id < kModuleSlots ? find_module(static_cast<ModuleId>(id)) : nullptr;
  return module != nullptr ? module->schema->name : "<UNKNOWN>";
}

void write_release_warning(Sink& out, std::string_view log_version) {
  if (log_version != "3.20") return;
  out.put(
      "# *WARNING*: logs of version 3.20 were written by Darshan 3.2.0, which could spoil the\n"
      "#            common access size and stride counters. Do not rely on those.\n");
}

void write_log_header(Sink& out, const log::Reader& reader) {
  const log::Header& header = reader.header();
  const log::Job& job = reader.job();
  out.put(fmt::format("# darshan log version: {}\n", header.version.data()));
  out.put(fmt::format("# compression method: {}\n", codec_name(header.codec)));
  out.put(fmt::format("# exe: {}\n", out.field(job.exe)));
  out.put(fmt::format("# uid: {}\n", job.uid));
  out.put(fmt::format("# jobid: {}\n", job.job_id));
  out.put(fmt::format("# start_time: {}\n", job.start_sec));
  out.put("# start_time_asci: " + clock_text(job.start_sec));
  out.put(fmt::format("# end_time: {}\n", job.end_sec));
  out.put("# end_time_asci: " + clock_text(job.end_sec));
  out.put(fmt::format("# nprocs: {}\n", job.nprocs));
  out.put(fmt::format("# run time: {:.4f}\n", job.run_time()));
  for (const auto& [key, value] : job.metadata_pairs())
    out.put(fmt::format("# metadata: {} = {}\n", out.field(key), out.field(value)));
  write_regions(out, header);
  out.put("\n# mounted file systems (mount point and fs type)\n");
  out.put(kRule);
  for (const log::Mount& mount : job.mounts)
    out.put(fmt::format("# mount entry:\t{}\t{}\n", out.field(mount.path), out.field(mount.type)));
}

void write_trailer_sections(Sink& out, log::Reader& reader) {
  const log::Trailer* trailer = reader.trailer();
  if (trailer == nullptr) return;
  out.put("\n# trailer (what Darshan's format cannot hold; trikal export shows it)\n");
  out.put(kRule);
  for (const log::Section& section : trailer->sections()) {
    out.put(fmt::format("# {}: {} rows, {}\n", out.field(section.name), section.rows, out.field(section.help)));
  }
}

}  // namespace trikal::report
