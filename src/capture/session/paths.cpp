#include "capture/session/paths.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/short_text.hpp"
#include "capture/rare.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {

TRIKAL_RARE constinit PathScratch path_scratch;

namespace {

using Sixteen = std::int8_t __attribute__((vector_size(16)));
using Eight = std::int8_t __attribute__((vector_size(8)));

template <class Several>
Several load_several(const char* at) noexcept {
  Several bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// Whether "//" or "/." begins at one of so many bytes; reads one more.
template <class Several>
bool is_suspicious(const char* at) noexcept {
  const auto first = load_several<Several>(at), second = load_several<Several>(at + 1);
  const auto found = (first == '/') & ((second == '/') | (second == '.'));
  std::uint64_t words[sizeof found / 8], any = 0;
  std::memcpy(words, &found, sizeof words);
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

// The last step reads some bytes again: quicker than looking at each of the rest. Needs more bytes than Several has.
template <class Several>
bool is_suspicious(std::string_view path) noexcept {
  constexpr std::size_t kBytes = sizeof(Several);
  for (std::size_t at = 0; at + kBytes < path.size(); at += kBytes) {
    if (is_suspicious<Several>(path.data() + at)) return true;
  }
  return is_suspicious<Several>(path.data() + path.size() - kBytes - 1);
}

// Of ROMIO, today's and earlier ones.
constexpr ShortText<10> kDrivers[] = {"ufs",    "nfs",     "lustre", "gpfs",    "panfs",     "pvfs2",  "pvfs",
                                      "testfs", "xfs",     "ime",    "daos",    "dfs",       "piofs",  "pfs",
                                      "hfs",    "sfs",     "ntfs",   "quobyte", "quobytefs", "zoidfs", "ftp",
                                      "gsiftp", "gridftp", "bg",     "bgl",     "bglockless"};

// In lower or upper case.
bool has_driver(const char* path, std::string_view driver) noexcept {
  for (const char wanted : driver) {
    if (*path != wanted && *path != wanted - 'a' + 'A') return false;
    ++path;
  }
  return *path == ':';
}

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
  if (path.size() > sizeof(Sixteen)) return !is_suspicious<Sixteen>(path);
  if (path.size() > sizeof(Eight)) return !is_suspicious<Eight>(path);
  for (std::size_t at = 0; at + 1 < path.size(); ++at) {
    if (path[at] == '/' && (path[at + 1] == '/' || path[at + 1] == '.')) return false;
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
