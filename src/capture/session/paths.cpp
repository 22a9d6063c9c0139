#include "capture/session/paths.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "capture/raw.hpp"

namespace trikal::capture {

constinit PathScratch path_scratch;

namespace {

using Sixteen = std::int8_t __attribute__((vector_size(16)));

Sixteen load_sixteen(const char* at) noexcept {
  Sixteen bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// Of ROMIO, today's and earlier ones.
constexpr std::string_view kDrivers[] = {"ufs",    "nfs",     "lustre", "gpfs",    "panfs",     "pvfs2",  "pvfs",
                                         "testfs", "xfs",     "ime",    "daos",    "dfs",       "piofs",  "pfs",
                                         "hfs",    "sfs",     "ntfs",   "quobyte", "quobytefs", "zoidfs", "ftp",
                                         "gsiftp", "gridftp", "bg",     "bgl",     "bglockless"};

// In small or capital letters.
bool has_driver(const char* path, std::string_view driver) noexcept {
  for (const char letter : driver) {
    if (*path != letter && *path != letter - 'a' + 'A') return false;
    ++path;
  }
  return *path == ':';
}

bool suspicious(char first, char second) noexcept { return first == '/' && (second == '/' || second == '.'); }

}  // namespace

const char* without_driver(const char* path) noexcept {
  for (const std::string_view driver : kDrivers) {
    if (has_driver(path, driver)) return path + driver.size() + 1;
  }
  return path;
}

const char* file_named_to_mpi(const char* path) noexcept {
  const char* file = without_driver(path);
  const bool literal = file != path && raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), F_OK) == 0;
  return literal ? path : file;
}

bool is_clean(std::string_view path) noexcept {
  if (!path.starts_with('/')) return false;
  std::size_t at = 0;
  for (; at + 17 <= path.size(); at += 16) {
    const Sixteen first = load_sixteen(path.data() + at), second = load_sixteen(path.data() + at + 1);
    const Sixteen found = (first == '/') & ((second == '/') | (second == '.'));
    std::uint64_t halves[2];
    std::memcpy(halves, &found, sizeof halves);
    if ((halves[0] | halves[1]) != 0) return false;
  }
  for (; at + 1 < path.size(); ++at) {
    if (suspicious(path[at], path[at + 1])) return false;
  }
  return true;
}

std::string_view CleanPath::make(std::string_view base, std::string_view path) noexcept {
  std::size_t length = 0;
  const auto put = [&](char c) {
    if (length < kPathBytes) text_[length++] = c;
  };
  const auto put_all = [&](std::string_view text) {
    const std::size_t count = std::min(text.size(), kPathBytes - length);
    std::memcpy(text_ + length, text.data(), count);
    length += count;
  };
  if (!path.starts_with('/')) {
    put_all(base);
    if (!base.ends_with('/')) put('/');
  }
  // Copied run by run: most paths have nothing to clean.
  for (std::size_t at = 0; at < path.size();) {
    const bool after_slash = length > 0 && text_[length - 1] == '/';
    if (after_slash && path[at] == '/') {
      ++at;
    } else if (after_slash && path[at] == '.' && at + 1 < path.size() && path[at + 1] == '/') {
      at += 2;
    } else {
      const std::size_t slash = path.find('/', at);
      const std::size_t end = slash == std::string_view::npos ? path.size() : slash + 1;
      put_all({path.data() + at, end - at});
      at = end;
    }
  }
  return {text_, length};
}

std::size_t Paths::working_directory(char* out, std::size_t capacity) noexcept {
  const Locked locked(lock_);
  if (!locked) return 0;
  if (!known_.load(std::memory_order_acquire)) {
    const long got = raw_syscall(__NR_getcwd, raw_pointer(text_), sizeof text_);
    length_ = got > 0 && text_[0] == '/' ? static_cast<std::size_t>(got) - 1 : 0;
    known_.store(length_ > 0, std::memory_order_release);
  }
  const std::size_t count = std::min(length_, capacity);
  std::memcpy(out, text_, count);
  return count;
}

}  // namespace trikal::capture
