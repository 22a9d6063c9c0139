#include "gather/run_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace trikal::gather {
namespace {

constexpr std::array kParents = {"/dev/shm", "/tmp"};
constexpr std::string_view kPrefix = "trikal-run-";
constexpr const char* kBootFormat = "boot %16lx%16lx";

std::string lock_of(const std::string& directory) { return directory + "/run"; }

// For readers on other machines, which see no locks of ours. In a full file system it stays empty.
void describe(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return;
  const auto& own = own_identity();
  const std::string text = fmt::format("boot {:016x}{:016x}\n", own.boot[0], own.boot[1]);
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  ::close(descriptor);
}

bool was_made_here(int descriptor, const std::string& file) {
  char text[64] = {};
  unsigned long high = 0, low = 0;
  std::uint64_t boot[2] = {};
  if (::pread(descriptor, text, sizeof text - 1, 0) > 0 && std::sscanf(text, kBootFormat, &high, &low) == 2)
    boot[0] = high, boot[1] = low;
  return is_of_this_boot(boot, file);
}

bool is_own_directory(const std::string& path, bool closed_to_others) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (!closed_to_others || (status.st_mode & 0777) == 0700);
}

}  // namespace

bool RunDirectory::hold(std::string path) {
  path_ = std::move(path);
  describe(lock_of(path_));
  lock_ = FileLock(lock_of(path_), FileLock::Kind::kShared);
  return static_cast<bool>(lock_);
}

RunDirectory RunDirectory::make() {
  RunDirectory directory;
  for (const char* parent : kParents) {
    std::string path = fmt::format("{}/{}{}-XXXXXX", parent, kPrefix, ::getpid());
    if (::mkdtemp(path.data()) != nullptr && directory.hold(path)) break;
  }
  return directory;
}

RunDirectory RunDirectory::share(pid_t starter) {
  RunDirectory directory;
  for (const char* parent : kParents) {
    const std::string path = fmt::format("{}/{}{}-job-{}", parent, kPrefix, starter, start_ticks_of(starter));
    const bool made = ::mkdir(path.c_str(), 0700) == 0;
    if ((made || (errno == EEXIST && is_own_directory(path, true))) && directory.hold(path)) break;
  }
  return directory;
}

void RunDirectory::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

LeftRun::LeftRun(const std::string& path) : lock_(lock_of(path), FileLock::Kind::kAlone), life_(Life::kUnknown) {
  if (lock_.is_taken()) life_ = Life::kLives;
  else if (lock_ && was_made_here(lock_.descriptor(), lock_of(path))) life_ = Life::kGone;
}

std::vector<std::string> run_directories() {
  std::vector<std::string> directories;
  for (const char* parent : kParents) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(parent), ::closedir);
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
      const std::string_view name = entry->d_name;
      std::string path = fmt::format("{}/{}", parent, name);
      if (name.starts_with(kPrefix) && is_own_directory(path, false)) directories.push_back(std::move(path));
    }
  }
  return directories;
}

bool is_run_directory(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path clean = fs::path(path).lexically_normal();
  const fs::path name = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  return name.string().starts_with(kPrefix) && fs::is_directory(clean, ignored);
}

}  // namespace trikal::gather
