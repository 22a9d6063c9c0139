#include "capture/session/mounts.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <cstring>

#include "base/mount_table.hpp"
#include "capture/raw.hpp"
#include "capture/session/small_file.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kTableBytes = 64 * 1024;
constexpr std::size_t kEntryBytes = 256, kLongestPath = 512;
constexpr std::int64_t kLustreMagic = 0x0BD00BD0;
constexpr std::int64_t kLustreBlock = 1048576;
constexpr std::int64_t kUnknownBlock = 4096;

// 0: the kernel does not say.
std::int64_t ask_block_size(std::string_view path) noexcept {
  char text[kLongestPath];
  if (path.size() >= sizeof text) return 0;
  std::memcpy(text, path.data(), path.size());
  text[path.size()] = '\0';
  struct statfs status{};
  if (raw_syscall(__NR_statfs, raw_pointer(text), raw_pointer(&status)) != 0) return 0;
  return status.f_type == kLustreMagic ? kLustreBlock : static_cast<std::int64_t>(status.f_bsize);
}

}  // namespace

void Mounts::read() noexcept {
  if (read_.load(std::memory_order_acquire)) return;
  const Locked locked(lock_);
  if (!locked) return;
  if (read_.load(std::memory_order_relaxed)) return;
  auto* text = static_cast<char*>(private_pages(kTableBytes));  // kept: the entries point into it
  if (text != nullptr) {
    const std::string_view table = read_small_file("/proc/self/mounts", text, kTableBytes);
    for_each_mount(table, [this](std::string_view type, std::string_view path) { add(type, path); });
  }
  read_.store(true, std::memory_order_release);
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

std::string_view Mounts::mount_of(std::string_view path) noexcept {
  read();
  const Mount* mount = find(path);
  return mount != nullptr ? mount->path : "/";
}

std::int64_t Mounts::block_size(std::string_view path) noexcept {
  if (!read_.load(std::memory_order_acquire) && asked_.fetch_add(1, std::memory_order_relaxed) < kAskedOneByOne) {
    const std::int64_t block = ask_block_size(path);
    if (block > 0) return block;
  }
  read();
  Mount* mount = find(path);
  if (mount == nullptr) mount = &root_, root_.path = "/";
  if (mount->block == 0) mount->block = ask_block_size(mount->path);
  return mount->block != 0 ? mount->block : mount->block = kUnknownBlock;
}

std::size_t Mounts::describe(char* out, std::size_t capacity) noexcept {
  read();
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
