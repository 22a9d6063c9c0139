#include "capture/session/map_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <string_view>

#include "base/text.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

// Ours alone: a real directory, of this user, closed to others.
bool is_private(const char* directory) noexcept {
  struct stat status{};
  const long result =
      raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer(directory), raw_pointer(&status), AT_SYMLINK_NOFOLLOW);
  return result == 0 && S_ISDIR(status.st_mode) && status.st_uid == static_cast<uid_t>(raw_syscall(__NR_geteuid)) &&
         (status.st_mode & 0077) == 0;
}

}  // namespace

bool MapName::use(const char* parent, bool shared_parent) noexcept {
  FixedText text(directory_, kBytes);
  text.put(parent);
  if (shared_parent) text.put("/trikal-").put(static_cast<std::uint64_t>(raw_syscall(__NR_geteuid)));
  if (!text.whole()) return false;
  if (is_private(directory_)) return true;
  (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(directory_), 0700);
  return is_private(directory_);
}

bool MapName::find_directory(const Config& config) noexcept {
  if (config.run_directory != nullptr) return use(config.run_directory, false);
  if (config.map_directory != nullptr && use(config.map_directory, true)) return true;
  return use("/dev/shm", true) || use("/tmp", true);
}

// Doubled until there is none, then halved: a process may have been a thousand programs.
const char* MapName::unused(log::crash::Identity& identity) noexcept {
  constexpr std::uint32_t kMost = 1U << 20;
  const auto taken = [&](std::uint32_t generation) {
    identity.generation = generation;
    const char* path = name(identity);
    return path != nullptr && raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), F_OK) == 0;
  };
  if (!taken(0)) return name(identity);
  std::uint32_t last_taken = 0, first_free = 1;
  while (first_free < kMost && taken(first_free)) last_taken = first_free, first_free *= 2;
  while (first_free - last_taken > 1) {
    const std::uint32_t middle = last_taken + (first_free - last_taken) / 2;
    (taken(middle) ? last_taken : first_free) = middle;
  }
  identity.generation = first_free;
  return name(identity);
}

const char* MapName::name(const log::crash::Identity& identity) noexcept {
  FixedText text(path_, kBytes);
  text.put(directory_).put("/").put(static_cast<std::uint64_t>(identity.pid)).put("-").put(identity.start_ticks);
  text.put("-").put(identity.generation).put(".map");
  return text.whole() ? path_ : nullptr;
}

}  // namespace trikal::capture
