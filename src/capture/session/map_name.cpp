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
  (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(directory_), 0700);
  return is_private(directory_);
}

bool MapName::find_directory(const Config& config) noexcept {
  if (config.run_directory != nullptr) return use(config.run_directory, false);
  if (config.map_directory != nullptr && use(config.map_directory, true)) return true;
  return use("/dev/shm", true) || use("/tmp", true);
}

const char* MapName::name(const log::crash::Identity& identity) noexcept {
  FixedText text(path_, kBytes);
  text.put(directory_).put("/").put(static_cast<std::uint64_t>(identity.pid)).put("-").put(identity.start_ticks);
  text.put("-").put(identity.generation).put(".map");
  return text.whole() ? path_ : nullptr;
}

}  // namespace trikal::capture
