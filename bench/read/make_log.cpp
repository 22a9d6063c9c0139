// Makes logs to measure reading with, always the same for the same arguments:
//   make_log posix RECORDS OUT [LEVEL [RECORDS_PER_STREAM]]    one POSIX record a file
//   make_log dxt SEGMENTS OUT                                  traces of 64 files
// Values are those of an ordinary job: few sizes, sequential writes, times in the steps of a clock.

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace {

using trikal::Bytes;
using trikal::Record;
using trikal::Status;
using trikal::log::Writer;
using PosixRecord = Record<trikal::modules::posix::kSchema>;

constexpr int kRanks = 64;
constexpr std::uint32_t kDxtPosixVersion = 1;
constexpr trikal::ModuleId kDxtPosix = 10;

std::string file_name(std::uint64_t i) {
  char text[64];
  std::snprintf(text, sizeof text, "/scratch/project/run%04u/output/part-%06u.dat", static_cast<unsigned>(i % 37),
                static_cast<unsigned>(i));
  return text;
}

// A clock that counts in 2^-22 s, as epoch seconds in a double do.
double stepped(double seconds) { return std::round(seconds * 4194304) / 4194304; }

class Generator {
 public:
  PosixRecord record(std::uint64_t i) {
    static constexpr std::int64_t kSizes[] = {500, 4096, 65536, 1048576};
    const std::int64_t size = kSizes[random_() % 4];
    const auto writes = static_cast<std::int64_t>(1 + random_() % 40);
    PosixRecord r;
    r.set_base({trikal::record_id(file_name(i)), static_cast<std::int64_t>(i % kRanks)});
    r.at<"POSIX_OPENS">() = 1;
    r.at<"POSIX_WRITES">() = writes;
    r.at<"POSIX_MODE">() = 0644;
    r.at<"POSIX_BYTES_WRITTEN">() = writes * size;
    r.at<"POSIX_MAX_BYTE_WRITTEN">() = writes * size - 1;
    r.at<"POSIX_CONSEC_WRITES">() = writes - 1;
    r.at<"POSIX_SEQ_WRITES">() = writes - 1;
    r.at<"POSIX_MEM_ALIGNMENT">() = 8;
    r.at<"POSIX_FILE_ALIGNMENT">() = 4096;
    r.at<"POSIX_MAX_WRITE_TIME_SIZE">() = size;
    r.at<"POSIX_SIZE_WRITE_#">(trikal::size_class(size)) = writes;
    r.at<"POSIX_ACCESS#_ACCESS">() = size;
    r.at<"POSIX_ACCESS#_COUNT">() = writes;
    const double begin = static_cast<double>(i) * 0.001;
    r.set_real<"POSIX_F_OPEN_START_TIMESTAMP">(stepped(begin));
    r.set_real<"POSIX_F_WRITE_START_TIMESTAMP">(stepped(begin + 0.0001));
    r.set_real<"POSIX_F_CLOSE_START_TIMESTAMP">(stepped(begin + 0.0008));
    r.set_real<"POSIX_F_OPEN_END_TIMESTAMP">(stepped(begin + 0.0002));
    r.set_real<"POSIX_F_WRITE_END_TIMESTAMP">(stepped(begin + 0.0007));
    r.set_real<"POSIX_F_CLOSE_END_TIMESTAMP">(stepped(begin + 0.0009));
    r.set_real<"POSIX_F_WRITE_TIME">(stepped(unit_() * 0.001 * static_cast<double>(writes)));
    r.set_real<"POSIX_F_META_TIME">(stepped(unit_() * 0.0001));
    r.set_real<"POSIX_F_MAX_WRITE_TIME">(stepped(unit_() * 0.0002));
    return r;
  }

  double unit_() { return std::uniform_real_distribution<double>(0, 1)(random_); }

 private:
  std::mt19937_64 random_{20261115};
};

Status begin(Writer& writer, std::uint64_t names) {
  static constexpr trikal::log::MountText kMounts[] = {{"lustre", "/scratch"}, {"ext4", "/"}};
  auto job =
      writer.put_job({.uid = 1000, .start_sec = 1700000000, .end_sec = 1700000300, .nprocs = kRanks, .job_id = 4242},
                     {.metadata = "lib_ver=bench\n", .exe = "./application", .mounts = kMounts});
  if (!job) return job.error();
  Status status = writer.begin_names();
  for (std::uint64_t i = 0; i < names && status.ok(); ++i) {
    const std::string name = file_name(i);
    status = writer.put_name(trikal::record_id(name), name);
  }
  return status.ok() ? writer.end_region() : status;
}

Status write_posix(Writer& writer, std::uint64_t records, std::uint64_t per_stream) {
  Status status = begin(writer, records);
  if (status.ok())
    status = writer.begin_module(trikal::modules::posix::kSchema.id, trikal::modules::posix::kSchema.version);
  Generator generator;
  for (std::uint64_t i = 0; i < records && status.ok(); ++i) {
    const PosixRecord record = generator.record(i);
    status = writer.append(std::as_bytes(std::span{record.words}));
    if (status.ok() && per_stream > 0 && (i + 1) % per_stream == 0) status = writer.end_stream();
  }
  if (status.ok()) status = writer.end_region();
  return status.ok() ? writer.finish(0) : status;
}

struct Segment {
  std::int64_t offset, length;
  double start, end;
};

Status write_dxt(Writer& writer, std::uint64_t segments) {
  constexpr std::uint64_t kFiles = 64;
  Status status = begin(writer, kFiles);
  if (status.ok()) status = writer.begin_module(kDxtPosix, kDxtPosixVersion);
  Generator generator;
  for (std::uint64_t file = 0; file < kFiles && status.ok(); ++file) {
    const std::uint64_t count = segments / kFiles + (file < segments % kFiles ? 1 : 0);
    const auto writes = static_cast<std::int64_t>(count / 2);
    std::byte head[104] = {};
    trikal::store(head, trikal::record_id(file_name(file)));
    trikal::store(head + 8, static_cast<std::int64_t>(file % kRanks));
    std::memcpy(head + 24, "node0001", 8);
    trikal::store(head + 88, writes);
    trikal::store(head + 96, static_cast<std::int64_t>(count) - writes);
    status = writer.append(head);
    for (std::uint64_t i = 0; i < count && status.ok(); ++i) {
      const double begin_time = stepped(static_cast<double>(i) * 0.0003 + generator.unit_() * 0.0001);
      const Segment segment{static_cast<std::int64_t>(i) * 65536, 65536, begin_time,
                            stepped(begin_time + generator.unit_() * 0.0002)};
      status = writer.append(std::as_bytes(std::span{&segment, 1}));
    }
  }
  if (status.ok()) status = writer.end_region();
  return status.ok() ? writer.finish(0) : status;
}

bool number(const char* text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  return error == std::errc{} && *end == '\0';
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t count = 0, level = 6, per_stream = 0;
  const bool understood = argc >= 4 && argc <= 6 && number(argv[2], count) && (argc < 5 || number(argv[4], level)) &&
                          (argc < 6 || number(argv[5], per_stream));
  if (!understood) return std::fprintf(stderr, "usage: make_log posix|dxt COUNT OUT [LEVEL [RECORDS_PER_STREAM]]\n"), 2;
  auto writer = trikal::log::ToolWriter::create(argv[3], {.level = static_cast<int>(level), .replace = true});
  if (!writer) return std::fprintf(stderr, "%s: %s\n", argv[3], writer.error().what), 1;
  const bool posix = std::string_view(argv[1]) == "posix";
  const Status written =
      posix ? write_posix((*writer)->writer(), count, per_stream) : write_dxt((*writer)->writer(), count);
  if (!written) return std::fprintf(stderr, "%s: %s\n", argv[3], written.error().what), 1;
  return 0;
}
