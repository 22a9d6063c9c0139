#include "capture/session/mounts.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <cstring>

#include "capture/raw.hpp"
#include "capture/session/small_file.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kTableBytes = 64 * 1024;
constexpr std::size_t kEntryBytes = 256;
constexpr std::int64_t kLustreMagic = 0x0BD00BD0;
constexpr std::int64_t kLustreBlock = 1048576;
constexpr std::int64_t kUnknownBlock = 4096;

// Nothing is stored on these.
constexpr std::string_view kLeftOut[] = {"tmpfs",      "proc",      "sysfs",      "devpts", "binfmt_misc",
                                         "fusectl",    "debugfs",   "securityfs", "nfsd",   "none",
                                         "rpc_pipefs", "hugetlbfs", "cgroup"};

std::string_view next_word(std::string_view& line) noexcept {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word(line.data(), end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

std::int64_t ask_block_size(std::string_view path) noexcept {
  char text[kEntryBytes];
  if (path.size() >= sizeof text) return kUnknownBlock;
  std::memcpy(text, path.data(), path.size());
  text[path.size()] = '\0';
  struct statfs status{};
  if (raw_syscall(__NR_statfs, raw_pointer(text), raw_pointer(&status)) != 0) return kUnknownBlock;
  return status.f_type == kLustreMagic ? kLustreBlock : static_cast<std::int64_t>(status.f_bsize);
}

}  // namespace

void Mounts::begin() noexcept {
  auto* text = static_cast<char*>(private_pages(kTableBytes));  // kept: the entries point into it
  if (text == nullptr) return;
  count_ = 0;
  const std::string_view table = read_small_file("/proc/self/mounts", text, kTableBytes);
  parse(table, false);
  parse(table, true);
}

// "<device> <path> <type> ...". Network file systems come last, as in every Darshan log.
void Mounts::parse(std::string_view table, bool network) noexcept {
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    std::string_view line(table.data(), end);
    table.remove_prefix(std::min(end + 1, table.size()));
    next_word(line);
    const std::string_view path = next_word(line);
    const std::string_view type = next_word(line);
    if (path.empty() || type.empty() || (type == "nfs") != network) continue;
    if (std::ranges::find(kLeftOut, type) == std::end(kLeftOut)) add(type, path);
  }
}

void Mounts::add(std::string_view type, std::string_view path) noexcept {
  if (count_ == kMost || type.size() + path.size() + 2 >= kEntryBytes) return;
  for (std::size_t i = 0; i < count_; ++i) {
    if (mounts_[i].path == path && mounts_[i].type == type) return;
  }
  mounts_[count_++] = {path, type, 0};
}

Mounts::Mount* Mounts::find(std::string_view path) noexcept {
  Mount* best = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    Mount& mount = mounts_[i];
    if (path.starts_with(mount.path) && (best == nullptr || mount.path.size() > best->path.size())) best = &mount;
  }
  return best;
}

std::string_view Mounts::mount_of(std::string_view path) const noexcept {
  const Mount* mount = const_cast<Mounts*>(this)->find(path);
  return mount != nullptr ? mount->path : "/";
}

std::int64_t Mounts::block_size(std::string_view path) noexcept {
  Mount* mount = find(path);
  if (mount == nullptr) mount = &root_;
  if (mount->block == 0) mount->block = ask_block_size(mount->path);
  return mount->block;
}

std::size_t Mounts::describe(char* out, std::size_t capacity) const noexcept {
  std::size_t length = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Mount& mount = mounts_[i];
    if (length + mount.type.size() + mount.path.size() + 2 > capacity) continue;
    out[length++] = '\n';
    std::memcpy(out + length, mount.type.data(), mount.type.size());
    length += mount.type.size();
    out[length++] = '\t';
    std::memcpy(out + length, mount.path.data(), mount.path.size());
    length += mount.path.size();
  }
  return length;
}

}  // namespace trikal::capture
