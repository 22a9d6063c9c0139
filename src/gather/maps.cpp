#include "gather/maps.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace trikal::gather {
namespace {

constexpr std::array kRunParents = {"/dev/shm", "/tmp"};
constexpr std::string_view kRunPrefix = "trikal-run-";
constexpr std::uint64_t kLargestMap = std::uint64_t{1} << 32;

Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

Result<std::vector<std::byte>> read_own_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error("cannot open");
  const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* d) { ::close(*d); });
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return system_error("cannot open");
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    return Error{.code = ErrorCode::kUsage, .what = "not a file of this user"};
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > kLargestMap) return Error{.code = ErrorCode::kLimit, .what = "too large for a crash map"};
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno != EINTR) return system_error("cannot read");
    if (got == 0) break;
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Field 22 of /proc/PID/stat, counted behind the program's name. 0 for one that only waits to be collected.
std::uint64_t start_ticks_of(std::int64_t pid) {
  const std::string stat = read_text(fmt::format("/proc/{}/stat", pid));
  std::size_t at = stat.rfind(')');
  if (at != std::string::npos && at + 2 < stat.size() && (stat[at + 2] == 'Z' || stat[at + 2] == 'X')) return 0;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoull(stat.c_str() + at + 1, nullptr, 10);
}

bool same_boot(const log::crash::Identity& identity) {
  std::string id = read_text("/proc/sys/kernel/random/boot_id");
  std::erase_if(id, [](char c) { return !std::isxdigit(static_cast<unsigned char>(c)); });
  return id == fmt::format("{:016x}{:016x}", identity.boot[0], identity.boot[1]);
}

}  // namespace

bool is_alive(const log::crash::Identity& identity) {
  return same_boot(identity) && identity.start_ticks != 0 && start_ticks_of(identity.pid) == identity.start_ticks;
}

MapFile::MapFile(std::string path, std::vector<std::byte> bytes, const log::crash::MapView& view)
    : path_(std::move(path)), bytes_(std::move(bytes)), view_(view), lives_(is_alive(view.header().identity)) {}

Result<MapFile> MapFile::open(const std::string& path) {
  auto bytes = read_own_file(path);
  return bytes ? from_memory(path, std::move(*bytes)) : bytes.error();
}

Result<MapFile> MapFile::from_memory(std::string path, std::vector<std::byte> bytes) {
  auto view = log::crash::MapView::open(bytes);
  if (!view) return view.error();
  return MapFile(std::move(path), std::move(bytes), *view);  // moving a vector does not move its bytes
}

std::vector<std::string> list_maps(const std::string& directory) {
  std::vector<std::string> maps;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(directory.c_str()), ::closedir);
  if (!open) return maps;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".map")) maps.push_back(fmt::format("{}/{}", directory, name));
  }
  return maps;
}

std::vector<std::string> map_directories() {
  std::vector<std::string> directories;
  // Where the user says; else where the runtime goes by itself.
  const auto add = [&](const std::string& parent) {
    directories.push_back(fmt::format("{}/trikal-{}", parent, ::geteuid()));
  };
  for (const char* name : {"TRIKAL_MAP_DIRECTORY", "DARSHAN_MMAP_LOGPATH"}) {
    if (const char* value = std::getenv(name)) return add(value), directories;
  }
  add("/dev/shm");
  add("/tmp");
  return directories;
}

std::vector<RunDirectory> run_directories() {
  std::vector<RunDirectory> directories;
  for (const char* parent : kRunParents) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(parent), ::closedir);
    if (!open) continue;
    while (const dirent* entry = ::readdir(open.get())) {
      const std::string_view name = entry->d_name;
      const std::string path = fmt::format("{}/{}", parent, name);
      struct stat status{};
      if (!name.starts_with(kRunPrefix) || ::lstat(path.c_str(), &status) != 0) continue;
      if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) continue;
      const long pid = std::strtol(name.data() + kRunPrefix.size(), nullptr, 10);
      directories.push_back({path, pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM)});
    }
  }
  return directories;
}

bool is_run_directory(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path clean = fs::path(path).lexically_normal();
  const fs::path name = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  return name.string().starts_with(kRunPrefix) && fs::is_directory(clean, ignored);
}

std::string make_run_directory() {
  for (const char* parent : kRunParents) {
    std::string path = fmt::format("{}/{}{}-XXXXXX", parent, kRunPrefix, ::getpid());
    if (::mkdtemp(path.data()) != nullptr) return path;
  }
  return {};
}

std::string share_run_directory(pid_t starter) {
  for (const char* parent : kRunParents) {
    std::string path = fmt::format("{}/{}{}-job-{}", parent, kRunPrefix, starter, start_ticks_of(starter));
    if (::mkdir(path.c_str(), 0700) == 0) return path;
    struct stat status{};
    if (errno == EEXIST && ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
        status.st_uid == ::geteuid() && (status.st_mode & 0777) == 0700)
      return path;
  }
  return {};
}

}  // namespace trikal::gather
