// From what a program says ("../data/x", relative to a directory descriptor) to the file it means.

#include <fcntl.h>

#include <cstring>

#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

class Resolver {
 public:
  Resolver(Session& owner, int directory, const char* path) noexcept {
    const std::string_view given(path);
    if (given.starts_with('/')) {
      clean_ = cleaner_.make({}, given);
      return;
    }
    if (directory != AT_FDCWD) {
      const Descriptor* known = owner.descriptors.find(directory);
      if (known != nullptr) {
        clean_ = cleaner_.make(static_cast<const File*>(known->file)->text(), given);
        return;
      }
    }
    const std::size_t length =
        directory == AT_FDCWD ? owner.paths.working_directory(base_, sizeof base_) : ask(directory);
    if (length > 0) clean_ = cleaner_.make({base_, length}, given);
  }

  [[nodiscard]] std::string_view clean() const noexcept { return clean_; }

 private:
  // A directory nobody watches: the kernel knows its name.
  std::size_t ask(int directory) noexcept {
    char link[32] = "/proc/self/fd/";
    char* at = link + std::strlen(link);
    char digits[12];
    int count = 0;
    for (int rest = directory; rest > 0 || count == 0; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
    while (count > 0) *at++ = digits[--count];
    *at = '\0';
    const long got = raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer(link), raw_pointer(base_), sizeof base_);
    return got > 0 && base_[0] == '/' ? static_cast<std::size_t>(got) : 0;
  }

  CleanPath cleaner_;
  char base_[4096];
  std::string_view clean_;
};

}  // namespace

File* Session::file_at(int directory, const char* path) noexcept {
  if (path == nullptr || path[0] == '\0') return nullptr;
  const Resolver resolver(*this, directory, path);
  if (resolver.clean().empty() || !config.watches(resolver.clean())) return nullptr;
  File* file = files.find_or_add(resolver.clean());
  return file != nullptr ? file : folded_file(resolver.clean());
}

File* Session::known_file_at(int directory, const char* path, bool* watched) noexcept {
  if (watched != nullptr) *watched = false;
  if (path == nullptr || path[0] == '\0') return nullptr;
  const Resolver resolver(*this, directory, path);
  if (watched != nullptr) *watched = !resolver.clean().empty() && config.watches(resolver.clean());
  return resolver.clean().empty() ? nullptr : files.find(resolver.clean());
}

File* Session::folded_file(std::string_view name) noexcept {
  char text[512] = "<other files on ";
  std::size_t length = std::strlen(text);
  std::string_view mount = mounts.mount_of(name);
  if (mount.size() > sizeof text - length - 1) mount.remove_suffix(mount.size() - (sizeof text - length - 1));
  std::memcpy(text + length, mount.data(), mount.size());
  length += mount.size();
  text[length++] = '>';
  return files.find_or_add_reserved({text, length});
}

}  // namespace trikal::capture
