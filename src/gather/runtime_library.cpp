#include "gather/runtime_library.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/hash.hpp"

namespace trikal::gather {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtrikal.so";
constexpr const char* kLastResort = "/tmp";

bool can_be_preloaded(std::string_view path) { return path.find_first_of(" :\t\n$") == std::string_view::npos; }

// The user's own folder first: on a cluster it is the same on all nodes.
std::vector<std::string> link_directories(const std::string& library) {
  std::vector<std::string> directories;
  const std::string name = fmt::format("runtime-{:016x}", record_id(library));
  const char *state = std::getenv("XDG_STATE_HOME"), *home = std::getenv("HOME");
  if (state != nullptr && state[0] == '/') directories.push_back(fmt::format("{}/trikal/{}", state, name));
  else if (home != nullptr && home[0] == '/')
    directories.push_back(fmt::format("{}/.local/state/trikal/{}", home, name));
  directories.push_back(fmt::format("{}/trikal-{}-{}", kLastResort, ::geteuid(), name));
  return directories;
}

// Nobody else can put another library there.
bool is_ours_alone(const std::string& directory) {
  struct stat status{};
  return ::lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 0022) == 0;
}

bool links_to(const std::string& link, const std::string& library) {
  std::error_code error;
  return fs::read_symlink(link, error) == library && fs::exists(link, error);
}

std::string link_in(const std::string& directory, const std::string& library) {
  std::error_code ignored;
  fs::create_directories(fs::path(directory).parent_path(), ignored);
  (void)::mkdir(directory.c_str(), 0755);
  if (!is_ours_alone(directory)) return {};
  std::string link = fmt::format("{}/{}", directory, kLibrary);
  if (links_to(link, library)) return link;
  // Somebody may be starting programs by the old one.
  const std::string made = fmt::format("{}.{}", link, ::getpid());
  (void)::unlink(made.c_str());
  if (::symlink(library.c_str(), made.c_str()) != 0 || ::rename(made.c_str(), link.c_str()) != 0) return {};
  return links_to(link, library) ? link : std::string();
}

}  // namespace

std::string find_runtime() {
  std::error_code error;
  if (const char* named = std::getenv("TRIKAL_RUNTIME")) return fs::absolute(named, error).string();
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  for (const char* folder :
       {"../" TRIKAL_LIBDIR, "../lib", "../lib64", "../lib/x86_64-linux-gnu", "../lib/aarch64-linux-gnu"}) {
    const fs::path candidate = (binary.parent_path() / folder / kLibrary).lexically_normal();
    if (fs::exists(candidate, error)) return candidate.string();
  }
  return {};
}

Result<std::string> preloadable(const std::string& library) {
  if (can_be_preloaded(library)) return library;
  for (const std::string& directory : link_directories(library)) {
    if (!can_be_preloaded(directory)) continue;
    if (std::string link = link_in(directory, library); !link.empty()) return link;
  }
  return Error{
      .code = ErrorCode::kSystem,
      .what = "LD_PRELOAD cannot name a library whose path has a space or a colon, and no link to it can be made"};
}

}  // namespace trikal::gather
