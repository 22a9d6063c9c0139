#include "gather/log_names.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace trikal::gather {
namespace {

// job.darshan and 2: job-2.darshan
std::string numbered(const std::string& path, std::size_t number) {
  if (number < 2) return path;
  const std::filesystem::path name(path);
  const std::string file = name.stem().string() + "-" + std::to_string(number) + name.extension().string();
  return (name.parent_path() / file).string();
}

// errno of the attempt; 0: it was made.
int make(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return errno;
  ::close(file);
  return 0;
}

bool is_taken(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

}  // namespace

Status can_become_log(const std::string& path, Taken taken) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{.code = ErrorCode::kUsage, .what = "is a directory, not a log's name"};
    if (taken == Taken::kRefuse)
      return Error{.code = ErrorCode::kUsage, .what = "exists already; --force replaces it, --log names another"};
    if (taken == Taken::kReplace && !S_ISREG(status.st_mode))
      return Error{.code = ErrorCode::kUsage, .what = "only a regular file can be replaced"};
  }
  // As it will be written: under another name at first.
  const std::string partial = path + ".partial-" + std::to_string(::getpid());
  if (const int error = make(partial); error != 0 && error != EEXIST)
    return Error{.code = ErrorCode::kSystem, .sys_errno = error, .what = "cannot create the log"};
  ::unlink(partial.c_str());
  return {};
}

std::vector<std::string> log_names(const std::string& first, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(numbered(first, i));
  return names;
}

std::vector<std::string> free_log_names(const std::string& first, std::size_t count, std::size_t& number) {
  for (;; ++number) {
    std::vector<std::string> names = log_names(numbered(first, number), count);
    if (std::ranges::none_of(names, is_taken)) return names;
  }
}

}  // namespace trikal::gather
