#include "capture/sink/log_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kBytes = 4096;

void put_base(FixedText& text, const Config& config) noexcept {
  if (config.log_path != nullptr) {
    text.put(config.log_path);
    return;
  }
  const char* state = config.environment().find("XDG_STATE_HOME");
  const char* home = config.environment().find("HOME");
  if (state != nullptr && state[0] == '/') text.put(state).put("/trikal");
  else if (home != nullptr && home[0] == '/') text.put(home).put("/.local/state/trikal");
  else text.put("/tmp");
}

uid_t me() noexcept { return static_cast<uid_t>(raw_syscall(__NR_geteuid)); }

bool look(const char* path, int flags, struct stat& status) noexcept {
  return raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer(path), raw_pointer(&status), flags) == 0;
}

bool can_write(const char* directory) noexcept {
  return raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(directory), W_OK | X_OK) == 0;
}

// Year, month and day below a directory, and one after the other on the way there.
class DayDirectory {
 public:
  DayDirectory(std::string_view above, const CalendarTime& when) noexcept : text_(path_, kBytes), above_(above.size()) {
    const auto part = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    text_.put(above).put("/").put(part(when.year)).put("/").put(part(when.month)).put("/").put(part(when.day));
    text_.put("/");
  }

  [[nodiscard]] std::string_view text() const noexcept { return text_.text(); }
  [[nodiscard]] bool is_writable() const noexcept { return text_.whole() && can_write(path_); }
  void make() const noexcept {
    if (text_.whole()) make_directories(path_);
  }
  // Whether none of the three is another user's, be it a directory or a link to one.
  [[nodiscard]] bool is_trusted(uid_t owner_above) noexcept {
    for (std::size_t at = above_ + 1; at < text_.text().size(); ++at) {
      if (path_[at] != '/') continue;
      struct stat status{};
      path_[at] = '\0';
      const bool there = look(path_, AT_SYMLINK_NOFOLLOW, status);
      path_[at] = '/';
      if (!there || (status.st_uid != 0 && status.st_uid != me() && status.st_uid != owner_above)) return false;
    }
    return true;
  }

 private:
  char path_[kBytes];
  FixedText text_;
  std::size_t above_;
};

// A directory of this user's own below one that is shared; false: somebody else has the name.
bool make_own(const char* path) noexcept {
  (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(path), 0755);
  struct stat status{};
  return look(path, AT_SYMLINK_NOFOLLOW, status) && S_ISDIR(status.st_mode) && status.st_uid == me();
}

void put_dated(FixedText& text, const char* base, const CalendarTime& when) noexcept {
  struct stat above{};
  DayDirectory day(base, when);
  constexpr mode_t kOthersWrite = 0022;
  if (!look(base, 0, above) || (above.st_mode & kOthersWrite) == 0) {
    day.make();
    return void(text.put(day.text()));
  }
  if (day.is_trusted(above.st_uid) && day.is_writable()) return void(text.put(day.text()));
  char own[kBytes];
  FixedText name(own, sizeof own);
  name.put(base).put("/user-").put(std::uint64_t{me()});
  if (!name.whole() || !make_own(own)) return void(text.put(base).put("/"));
  const DayDirectory own_day(name.text(), when);
  own_day.make();
  text.put(own_day.text());
}

}  // namespace

void make_directories(const char* path) noexcept {
  char text[kBytes];
  const std::size_t length = std::strlen(path);
  if (length >= sizeof text) return;
  for (std::size_t i = 1; i < length; ++i) {
    if (path[i] != '/') continue;
    std::memcpy(text, path, i);
    text[i] = '\0';
    (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(text), 0755);
  }
}

void put_log_directory(FixedText& text, const Config& config, const CalendarTime& when) noexcept {
  char base[kBytes];
  FixedText above(base, sizeof base);
  put_base(above, config);
  if (config.dated_path) return put_dated(text, base, when);
  above.put("/");
  make_directories(base);
  text.put(above.text());
}

}  // namespace trikal::capture
