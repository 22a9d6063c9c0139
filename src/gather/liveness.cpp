#include "gather/liveness.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

namespace trikal::gather {
namespace {

using log::crash::Identity;

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Identity read_own_identity() {
  Identity identity;
  std::string id = read_text("/proc/sys/kernel/random/boot_id");
  std::erase_if(id, [](char c) { return !std::isxdigit(static_cast<unsigned char>(c)); });
  if (id.size() == 32) {
    identity.boot[0] = std::strtoull(id.substr(0, 16).c_str(), nullptr, 16);
    identity.boot[1] = std::strtoull(id.substr(16).c_str(), nullptr, 16);
  }
  struct stat status{};
  if (::stat("/proc/self/ns/pid", &status) == 0) identity.pid_namespace = status.st_ino;
  identity.pid = ::getpid();
  identity.start_ticks = start_ticks_of(identity.pid);
  return identity;
}

// The first thread of a process may have ended before the others: it looks as if it waited to be collected.
bool has_threads(std::int64_t pid) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(fmt::format("/proc/{}/task", pid).c_str()), ::closedir);
  int threads = 0;
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) threads += entry->d_name[0] != '.' ? 1 : 0;
  return threads > 1;
}

// File systems whose files know of every mapping. A file of overlayfs does not: what is mapped is the file below it.
bool knows_its_mappings(const struct statfs& system) {
  constexpr std::uint64_t kXfs = 0x58465342;  // linux/magic.h of older kernels lacks it
  const auto type = static_cast<std::uint64_t>(system.f_type) & 0xffffffff;
  return type == TMPFS_MAGIC || type == EXT4_SUPER_MAGIC || type == BTRFS_SUPER_MAGIC || type == kXfs;
}

bool is_in_memory(const std::string& path) {
  struct statfs system{};
  return ::statfs(path.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC;
}

}  // namespace

// Asked for every process that ends: by a single read, which the kernel answers with the whole line.
std::uint64_t start_ticks_of(std::int64_t pid) {
  char buffer[2048];
  const int file = ::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = ::read(file, buffer, sizeof buffer);
  ::close(file);
  const std::string_view stat(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
  std::size_t at = stat.rfind(')');  // behind the program's name, which may hold anything
  if (at == std::string_view::npos) return 0;
  const char state = at + 2 < stat.size() ? stat[at + 2] : 'X';
  if (state == 'X' || (state == 'Z' && !has_threads(pid))) return 0;
  for (int field = 2; field < 22 && at != std::string_view::npos; ++field) at = stat.find(' ', at + 1);
  std::uint64_t ticks = 0;
  if (at != std::string_view::npos) std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), ticks);
  return ticks;
}

const Identity& own_identity() {
  static const Identity identity = read_own_identity();
  return identity;
}

bool is_of_this_boot(const std::uint64_t (&boot)[2], const std::string& path) {
  if (boot[0] == 0 && boot[1] == 0) return is_in_memory(path);
  return std::ranges::equal(boot, own_identity().boot);
}

// A lease for reading is given only while nobody has the file open for writing, and a mapping keeps it open.
Mapped who_maps(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return Mapped::kUnknown;
  struct statfs system{};
  Mapped answer = Mapped::kUnknown;
  if (::fstatfs(file, &system) == 0 && knows_its_mappings(system)) {
    // Whoever opens it for writing at this moment would have us told by a signal: one that does nothing.
    const bool leased = ::fcntl(file, F_SETSIG, SIGURG) == 0 && ::fcntl(file, F_SETLEASE, F_RDLCK) == 0;
    if (leased) answer = Mapped::kByNobody;
    else if (errno == EAGAIN) answer = Mapped::kBySomebody;
  }
  ::close(file);
  return answer;
}

Life life_of(const Identity& identity, const std::string& path) {
  if (!is_of_this_boot(identity.boot, path)) return Life::kUnknown;
  const bool seen_from_here = identity.pid_namespace != 0 && identity.pid_namespace == own_identity().pid_namespace;
  if (seen_from_here && identity.start_ticks != 0)
    return start_ticks_of(identity.pid) == identity.start_ticks ? Life::kLives : Life::kGone;
  switch (who_maps(path)) {
    case Mapped::kByNobody: return Life::kGone;
    case Mapped::kBySomebody: return Life::kLives;
    case Mapped::kUnknown: break;
  }
  return Life::kUnknown;
}

}  // namespace trikal::gather
