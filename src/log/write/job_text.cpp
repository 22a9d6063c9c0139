#include "log/write/job_text.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::log {
namespace {

constexpr std::string_view kCutMark = "<TRUNCATED>";

}  // namespace

JobRegion::JobRegion(const JobNumbers& n, const JobText& text) noexcept {
  const std::int64_t numbers[kJobNumbers] = {n.uid,      n.start_sec, n.start_nsec, n.end_sec,
                                             n.end_nsec, n.nprocs,    n.job_id};
  std::memcpy(bytes_.data(), numbers, sizeof numbers);
  put_metadata(text.metadata);
  put_exe(text.exe);
  command_bytes_ = used_ - kJobBytes;
  for (const MountText& mount : text.mounts) put_mount(mount);
  ++used_;  // the NUL
}

void JobRegion::put_metadata(std::string_view metadata) noexcept {
  metadata = metadata.substr(0, metadata.find('\0'));
  constexpr std::size_t kCapacity = kMetadata - 1;
  if (metadata.size() > kCapacity) {  // only whole lines mean something
    fit_.metadata_cut = true;
    metadata = metadata.substr(0, kCapacity);
    metadata = metadata.substr(0, metadata.rfind('\n') + 1);
  }
  if (!metadata.empty()) std::memcpy(bytes_.data() + 8 * kJobNumbers, metadata.data(), metadata.size());
}

// A line break would end the command and begin the mounts, so it becomes a space.
void JobRegion::put_exe(std::string_view exe) noexcept {
  const std::size_t begin = used_;
  if (exe.size() > left()) {
    fit_.exe_cut = true;
    put(exe.substr(0, left() - kCutMark.size()));
    put(kCutMark);
  } else {
    put(exe);
  }
  const auto separates = [](std::byte b) { return b == std::byte{'\n'} || b == std::byte{0}; };
  std::replace_if(bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(used_), separates, std::byte{' '});
}

void JobRegion::put_mount(const MountText& mount) noexcept {
  constexpr std::string_view kBreaksPath("\n\0", 2);
  constexpr std::string_view kBreaksType("\n\0\t ", 4);
  const bool sound = !mount.type.empty() && !mount.path.empty() &&
                     mount.type.find_first_of(kBreaksType) == std::string_view::npos &&
                     mount.path.find_first_of(kBreaksPath) == std::string_view::npos;
  if (!sound || mount.type.size() + mount.path.size() + 2 > left()) {
    ++fit_.mounts_left_out;
    return;
  }
  put("\n"), put(mount.type), put("\t"), put(mount.path);
}

void JobRegion::put(std::string_view text) noexcept {
  if (!text.empty()) std::memcpy(bytes_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

}  // namespace trikal::log
