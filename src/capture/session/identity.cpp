#include "capture/session/identity.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string_view>

#include "capture/raw.hpp"
#include "capture/session/small_file.hpp"

namespace trikal::capture {
namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// "xxxxxxxx-xxxx-..." as 128 bits.
void read_boot_id(std::uint64_t (&boot)[2]) noexcept {
  char text[64];
  int digits = 0;
  for (const char c : read_small_file("/proc/sys/kernel/random/boot_id", text, sizeof text)) {
    const int digit = hex_digit(c);
    if (digit < 0 || digits == 32) continue;
    std::uint64_t& half = boot[digits++ / 16];
    half = half << 4 | static_cast<std::uint64_t>(digit);
  }
}

// Field 22 of /proc/self/stat, counted behind the name (which may hold anything).
std::uint64_t read_start_ticks() noexcept {
  char text[1024];
  const std::string_view stat = read_small_file("/proc/self/stat", text, sizeof text);
  std::size_t at = stat.rfind(')');
  if (at == std::string_view::npos) return 0;
  for (int field = 2; field < 22 && at != std::string_view::npos; ++field) at = stat.find(' ', at + 1);
  std::uint64_t ticks = 0;
  if (at == std::string_view::npos) return 0;
  for (++at; at < stat.size() && stat[at] >= '0' && stat[at] <= '9'; ++at)
    ticks = ticks * 10 + static_cast<std::uint64_t>(stat[at] - '0');
  return ticks;
}

std::uint64_t read_pid_namespace() noexcept {
  struct stat status{};
  const long result = raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer("/proc/self/ns/pid"), raw_pointer(&status), 0);
  return result == 0 ? status.st_ino : 0;
}

}  // namespace

log::crash::Identity read_identity(const log::crash::Identity* parents) noexcept {
  log::crash::Identity identity;
  // A child that sees its parent is where that is.
  if (parents != nullptr && raw_syscall(__NR_getppid) == parents->pid) {
    identity.boot[0] = parents->boot[0], identity.boot[1] = parents->boot[1];
    identity.pid_namespace = parents->pid_namespace;
  } else {
    read_boot_id(identity.boot);
    identity.pid_namespace = read_pid_namespace();
  }
  identity.pid = raw_syscall(__NR_getpid);
  identity.start_ticks = read_start_ticks();
  return identity;
}

}  // namespace trikal::capture
