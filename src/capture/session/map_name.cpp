#include "capture/session/map_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "capture/raw.hpp"
#include "log/crash/space.hpp"

namespace trikal::capture {
namespace {

bool file_system_of(const char* directory, struct statfs& system) noexcept {
  return raw_syscall(__NR_statfs, raw_pointer(directory), raw_pointer(&system)) == 0;
}

}  // namespace

// Ours alone: a real directory, of this user, closed to others.
bool MapName::is_private() noexcept {
  struct stat status{};
  const long result =
      raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer(directory_), raw_pointer(&status), AT_SYMLINK_NOFOLLOW);
  directory_size_ = status.st_size;
  return result == 0 && S_ISDIR(status.st_mode) && status.st_uid == static_cast<uid_t>(raw_syscall(__NR_geteuid)) &&
         (status.st_mode & 0077) == 0;
}

// What is left of the file system is the application's, or maps come faster than `trikal run` puts them away.
bool MapName::is_crowded() const noexcept {
  struct statfs system{};
  if (!file_system_of(directory_, system)) return false;
  constexpr std::int64_t kMostMaps = 512;  // 8 MiB of processes that do little
  const bool many = log::crash::is_in_memory(system) && directory_size_ > kMostMaps * log::crash::kTmpfsEntryBytes;
  return many || log::crash::space_for_maps(system) == 0;
}

bool MapName::can_hold_maps() const noexcept {
  struct statfs system{};
  return file_system_of(directory_, system) && log::crash::keeps_its_pages(system) &&
         log::crash::space_for_maps(system) > 0;
}

bool MapName::use(const char* parent, bool shared_parent) noexcept {
  FixedText text(directory_, kBytes);
  text.put(parent);
  if (shared_parent) text.put("/trikal-").put(static_cast<std::uint64_t>(raw_syscall(__NR_geteuid)));
  if (!text.whole()) return false;
  if (is_private()) return true;
  if (!shared_parent) return false;  // made by `trikal run`
  (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(directory_), 0700);
  return is_private();
}

// The run's own directory, then the one it has elsewhere. Where neither is to be seen it is on another node or out of sight.
bool MapName::find_of_run(int attempt) noexcept {
  const char* overflow = config_->run_overflow;
  if (attempt == 0) {
    reachable_ = use(config_->run_directory, false);
    crowded_ = reachable_ && overflow != nullptr && is_crowded();
    return reachable_ && !crowded_;
  }
  if (attempt == 1) {
    const bool there = overflow != nullptr && use(overflow, false);
    reachable_ |= there;
    return there && can_hold_maps();
  }
  if (!reachable_) config_->is_remote = true;
  return crowded_ && use(config_->run_directory, false);
}

bool MapName::find(int attempt) noexcept {
  if (attempt < kAttemptsOfRun) return config_->leaves_map() && find_of_run(attempt);
  if (config_->leaves_map()) return false;
  if (attempt == kAttemptsOfRun) return config_->map_directory != nullptr && use(config_->map_directory, true);
  if (attempt == kAttemptsOfRun + 1) return use("/dev/shm", true);
  return use("/tmp", true) && can_hold_maps();
}

const char* MapName::first(Config& config, log::crash::Identity& identity, bool is_known) noexcept {
  config_ = &config, identity_ = &identity, is_known_ = is_known, look_again_ = false;
  attempt_ = 0, crowded_ = reachable_ = false;
  return next();
}

const char* MapName::next() noexcept {
  if (std::exchange(look_again_, false)) return unused();
  while (attempt_ < kAttempts) {
    if (!find(attempt_++)) continue;
    return std::exchange(is_known_, false) ? (look_again_ = true, name(".map")) : unused();
  }
  return nullptr;
}

// Doubled until there is none, then halved: a process may have been a thousand programs.
const char* MapName::unused() noexcept {
  constexpr std::uint32_t kMost = 1U << 20;
  const auto taken = [this](std::uint32_t generation) {
    identity_->generation = generation;
    const char* path = name(".map");
    return path != nullptr && raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), F_OK) == 0;
  };
  if (!taken(0)) return name(".map");
  std::uint32_t last_taken = 0, first_free = 1;
  while (first_free < kMost && taken(first_free)) last_taken = first_free, first_free *= 2;
  while (first_free - last_taken > 1) {
    const std::uint32_t middle = last_taken + (first_free - last_taken) / 2;
    (taken(middle) ? last_taken : first_free) = middle;
  }
  identity_->generation = first_free;
  return name(".map");
}

const char* MapName::beside(const char* map, log::crash::Identity& identity) noexcept {
  identity_ = &identity;
  const std::string_view own(map);
  FixedText text(directory_, kBytes);
  return text.put(text_until(own, own.rfind('/'))).whole() ? name(".map") : nullptr;
}

bool MapName::leave_mark() noexcept {
  if (!use(config_->run_directory, false) || name(".lost") == nullptr) return false;
  const long file =
      raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path_), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0) (void)raw_syscall(__NR_close, file);
  return file >= 0;
}

const char* MapName::name(const char* ending) noexcept {
  FixedText text(path_, kBytes);
  text.put(directory_).put("/").put(static_cast<std::uint64_t>(identity_->pid)).put("-").put(identity_->start_ticks);
  text.put("-").put(identity_->generation).put(ending);
  return text.whole() ? path_ : nullptr;
}

}  // namespace trikal::capture
