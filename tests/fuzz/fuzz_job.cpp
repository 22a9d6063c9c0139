// The job region, plain: numbers, metadata, command line and the mount table.

#include "log/read/job.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program

void must(bool holds) {
  if (!holds) __builtin_trap();
}

void check(const log::ParsedJob& parsed) {
  const log::Job& job = parsed.job;
  must(job.metadata.size() <= log::kMetadata && job.metadata.find('\0') == std::string::npos);
  must(job.exe.find_first_of(std::string_view("\0\n", 2)) == std::string::npos);
  std::size_t longest = SIZE_MAX;
  for (const log::Mount& mount : job.mounts) {
    must(!mount.path.empty() && !mount.type.empty() && mount.path.size() <= longest);
    longest = mount.path.size();
    const log::Mount* found = job.mount_of(mount.path + "/x");
    must(found != nullptr && found->path.size() >= mount.path.size());
  }
  for (const auto& [key, value] : job.metadata_pairs()) must(key.find('=') == std::string_view::npos);
  (void)job.run_time();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const log::Header header{.minor = (data[0] & 1) != 0 ? 21 : 41, .foreign = (data[0] & 2) != 0};
  const auto parsed =
      log::parse_job(std::as_bytes(std::span(data + 1, size - 1)).first(std::min(size - 1, log::kJobRegion)), header);
  if (parsed) check(*parsed);
  return 0;
}
