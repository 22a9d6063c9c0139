#include "gather/run_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gather/maps.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/space.hpp"

namespace trikal::gather {
namespace {

constexpr std::array kParents = {"/dev/shm", "/tmp"};
constexpr std::string_view kPrefix = "trikal-run-";
constexpr std::string_view kOverflowPrefix = "trikal-more-";
constexpr const char* kBootFormat = "boot %16lx%16lx";
constexpr std::string_view kCommandLine = "\ncommand ";

std::string lock_of(const std::string& directory) { return directory + "/run"; }

// In a full file system it stays empty.
void write_text(const std::string& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  ::close(descriptor);
}

// For readers on other machines, which see no locks of ours.
std::string boot_line() {
  const auto& own = own_identity();
  return fmt::format("boot {:016x}{:016x}\n", own.boot[0], own.boot[1]);
}

bool was_made_here(const std::string& text, const std::string& file) {
  unsigned long high = 0, low = 0;
  const bool said = std::sscanf(text.c_str(), kBootFormat, &high, &low) == 2;
  return is_of_this_boot({said ? high : 0, said ? low : 0}, file);
}

std::string command_in(const std::string& text) {
  const std::size_t at = text.find(kCommandLine);
  return at == std::string::npos
             ? ""
             : text.substr(at + kCommandLine.size(), text.find('\n', at + 1) - at - kCommandLine.size());
}

bool is_own_directory(const std::string& path, bool closed_to_others) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (!closed_to_others || (status.st_mode & 0777) == 0700);
}

std::string target_of(const std::string& link) {
  std::error_code error;
  std::string target = std::filesystem::read_symlink(link, error).string();
  return error ? std::string() : target;
}

// Ours, by name and owner: nothing else is ever removed.
bool is_overflow(const std::string& path) {
  return path.substr(path.rfind('/') + 1).starts_with(kOverflowPrefix) && is_own_directory(path, true);
}

// On disk, near by, then where this user may write at all.
std::vector<std::string> overflow_parents() {
  std::vector<std::string> parents;
  const auto add = [&](const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    if (value != nullptr && value[0] == '/') parents.push_back(std::string(value) + below);
  };
  add("TMPDIR", "");
  parents.insert(parents.end(), {"/tmp", "/var/tmp"});
  add("XDG_CACHE_HOME", "");
  add("HOME", "/.cache");
  add("HOME", "");
  std::error_code error;
  if (const auto here = std::filesystem::current_path(error); !error) parents.push_back(here.string());
  return parents;
}

bool is_on(const std::string& path, dev_t device) {
  struct stat status{};
  return ::stat(path.c_str(), &status) != 0 || status.st_dev == device;
}

// Where processes can keep their maps while they run; there may be none.
bool can_hold_maps(const std::string& path) {
  struct statfs system{};
  return ::statfs(path.c_str(), &system) == 0 && log::crash::keeps_its_pages(system) &&
         log::crash::space_for_maps(system) > 0;
}

// One that the run's directory knows by a name of its own. Where several of one job come at once, the first one's.
bool make_overflow_in(const std::string& parent, const std::string& directory) {
  std::string path = fmt::format("{}/{}{}-XXXXXX", parent, kOverflowPrefix, ::getpid());
  if (::mkdtemp(path.data()) == nullptr) return false;
  const bool named = ::symlink(path.c_str(), overflow_of(directory).c_str()) == 0;
  const bool done = named || errno == EEXIST;
  if (!named) ::rmdir(path.c_str());
  return done;
}

void make_overflow(const std::string& directory) {
  struct stat status{};
  if (::stat(directory.c_str(), &status) != 0 || !target_of(overflow_of(directory)).empty()) return;
  std::vector<std::string> parents = overflow_parents();
  std::erase_if(parents, [&](const std::string& parent) { return is_on(parent, status.st_dev); });
  std::ranges::stable_partition(parents, can_hold_maps);
  (void)std::ranges::any_of(parents, [&](const std::string& parent) { return make_overflow_in(parent, directory); });
}

}  // namespace

bool RunDirectory::hold(std::string path) {
  path_ = std::move(path);
  write_text(lock_of(path_), boot_line());
  write_text(path_ + "/collector", "");
  lock_ = FileLock(lock_of(path_), FileLock::Kind::kShared);
  if (lock_) make_overflow(path_);
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

RunDirectory RunDirectory::share(const std::string& name) {
  RunDirectory directory;
  for (const char* parent : kParents) {
    const std::string path = fmt::format("{}/{}{}", parent, kPrefix, name);
    const bool made = ::mkdir(path.c_str(), 0700) == 0;
    if ((made || (errno == EEXIST && is_own_directory(path, true))) && directory.hold(path)) break;
  }
  return directory;
}

void RunDirectory::set_command(const std::string& arguments) const {
  const log::crash::CommandText command(arguments, log::crash::CommandText::Form::kQuoted);
  std::string text(command.text());
  std::ranges::replace(text, '\n', ' ');
  write_text(lock_of(path_), fmt::format("{}command {}\n", boot_line(), text));
}

std::string RunDirectory::overflow() const { return target_of(overflow_of(path_)); }

void remove_run(const std::string& directory) {
  std::error_code ignored;
  const std::string other = target_of(overflow_of(directory));
  if (!other.empty() && is_overflow(other)) std::filesystem::remove_all(other, ignored);
  std::filesystem::remove_all(directory, ignored);
}

std::vector<std::string> run_maps(const std::string& directory) {
  std::vector<std::string> maps = list_maps(directory);
  for (std::string& map : list_maps(overflow_of(directory))) maps.push_back(std::move(map));
  return maps;
}

std::string finished_file(const std::string& directory) { return directory + "/finished"; }
std::string overflow_of(const std::string& directory) { return directory + "/overflow"; }

LeftRun::LeftRun(const std::string& path) : lock_(lock_of(path), FileLock::Kind::kAlone), life_(Life::kUnknown) {
  char text[4096] = {};
  if (lock_.is_taken()) life_ = Life::kLives;
  if (!lock_ || ::pread(lock_.descriptor(), text, sizeof text - 1, 0) < 0) return;
  if (was_made_here(text, lock_of(path))) life_ = Life::kGone;
  command_ = command_in(text);
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

std::vector<std::string> run_directories_of(std::int64_t pid) {
  std::vector<std::string> directories = run_directories();
  const std::string start = fmt::format("{}{}-", kPrefix, pid);
  std::erase_if(directories,
                [&](const std::string& path) { return !path.substr(path.rfind('/') + 1).starts_with(start); });
  return directories;
}

std::string command_of_run(const std::string& path) {
  char text[4096] = {};
  const int descriptor = ::open(lock_of(path).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return {};
  const bool read = ::pread(descriptor, text, sizeof text - 1, 0) > 0;
  ::close(descriptor);
  return read ? command_in(text) : std::string();
}

bool is_run_directory(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path clean = fs::path(path).lexically_normal();
  const fs::path name = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  return name.string().starts_with(kPrefix) && fs::is_directory(clean, ignored);
}

}  // namespace trikal::gather
