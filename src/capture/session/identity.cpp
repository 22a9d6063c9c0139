#include "capture/session/identity.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include <atomic>
#include <cstring>
#include <iterator>
#include <string_view>

#include "base/hash.hpp"
#include "base/text.hpp"
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
  for (const char c : read_short_file("/proc/sys/kernel/random/boot_id", text, sizeof text)) {
    const int digit = hex_digit(c);
    if (digit < 0 || digits == 32) continue;
    std::uint64_t& half = boot[digits++ / 16];
    half = half << 4 | static_cast<std::uint64_t>(digit);
  }
}

// Field 22 of /proc/self/stat, counted behind the name (which may hold anything).
std::uint64_t read_start_ticks() noexcept {
  char text[1024];
  const std::string_view stat = read_short_file("/proc/self/stat", text, sizeof text);
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

// Since the machine was started, in the unit of /proc/<pid>/stat.
std::uint64_t ticks_now() noexcept {
  constexpr std::uint64_t kSecond = 1000000000;
  const std::uint64_t per_second = getauxval(AT_CLKTCK);
  timespec now{};
  if (per_second == 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  return (static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec)) /
         (kSecond / per_second);
}

// Written by every thread that forks; a child has what was there when it was made.
constinit std::atomic<std::uint64_t> ticks_before_fork{0};

std::uint64_t hash_of_node() noexcept {
  utsname names{};
  if (raw_syscall(__NR_uname, raw_pointer(&names)) != 0) return 0;
  return record_id(std::string_view(names.nodename, strnlen(names.nodename, sizeof names.nodename)));
}

}  // namespace

log::crash::Identity known_identity(const log::crash::Identity* relative, Relation relation) noexcept {
  log::crash::Identity identity;
  identity.pid = raw_syscall(__NR_getpid);
  if (relative == nullptr) return identity;
  const bool is_own = relation == Relation::kTold && relative->pid == identity.pid;
  if (!is_own && relative->pid != raw_syscall(__NR_getppid)) return identity;
  identity.boot[0] = relative->boot[0], identity.boot[1] = relative->boot[1];
  identity.pid_namespace = relative->pid_namespace;
  if (is_own) identity.start_ticks = relative->start_ticks, identity.generation = relative->generation + 1;
  return identity;
}

void complete_identity(log::crash::Identity& identity) noexcept {
  if (identity.boot[0] == 0 && identity.boot[1] == 0) read_boot_id(identity.boot);
  if (identity.pid_namespace == 0) identity.pid_namespace = read_pid_namespace();
  if (identity.start_ticks == 0) identity.start_ticks = read_start_ticks();
}

void note_fork() noexcept { ticks_before_fork.store(ticks_now(), std::memory_order_relaxed); }

// It began between the two readings: within the same tick nothing else is left.
std::uint64_t start_ticks_since_fork() noexcept {
  const std::uint64_t before = ticks_before_fork.load(std::memory_order_relaxed);
  return before == ticks_now() ? before : 0;
}

std::size_t write_identity(const log::crash::Identity& identity, char (&text)[kIdentityText]) noexcept {
  FixedText out(text, sizeof text);
  out.put(static_cast<std::uint64_t>(identity.pid)).put("-").put(identity.start_ticks);
  out.put("-").put(identity.generation).put("-").put(identity.pid_namespace);
  out.put("-").put(identity.boot[0]).put("-").put(identity.boot[1]).put("-").put(hash_of_node());
  return out.whole() ? out.text().size() : 0;
}

bool parse_identity(const char* text, log::crash::Identity& identity) noexcept {
  std::uint64_t numbers[7] = {};
  if (text == nullptr) return false;
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    if (i > 0 && *text++ != '-') return false;
    if (*text < '0' || *text > '9') return false;
    for (; *text >= '0' && *text <= '9'; ++text) numbers[i] = numbers[i] * 10 + static_cast<std::uint64_t>(*text - '0');
  }
  identity.pid = static_cast<std::int64_t>(numbers[0]);
  identity.start_ticks = numbers[1];
  identity.generation = static_cast<std::uint32_t>(numbers[2]);
  identity.pid_namespace = numbers[3];
  identity.boot[0] = numbers[4], identity.boot[1] = numbers[5];
  return *text == '\0' && numbers[6] == hash_of_node();
}

}  // namespace trikal::capture
