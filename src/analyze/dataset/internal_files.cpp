#include "analyze/dataset/internal_files.hpp"

#include <algorithm>

#include "schema/system_paths.hpp"

namespace trikal::analyze {
namespace {

constexpr std::string_view kTemporary[] = {"/dev/shm/", "/tmp/", "/var/tmp/", "/run/shm/", "/run/user/"};

// "checkpoint.locktest.3": OMPIO asks whether the file system can lock.
bool is_lock_test(std::string_view name) {
  constexpr std::string_view kMark = ".locktest.";
  const std::size_t at = name.rfind(kMark);
  if (at == std::string_view::npos || at + kMark.size() == name.size()) return false;
  return std::ranges::all_of(name.substr(at + kMark.size()), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_internal_file(std::string_view name) {
  if (is_lock_test(name)) return true;
  if (std::ranges::none_of(kTemporary, [name](std::string_view folder) { return name.starts_with(folder); }))
    return false;
  // Sites have directories of their own below /tmp: one of a job, one of a user.
  for (std::size_t at = name.find('/', 1); at != std::string_view::npos; at = name.find('/', at + 1)) {
    const std::string_view rest = name.substr(at + 1);
    if (std::ranges::any_of(kLibraryFiles, [rest](std::string_view begin) { return rest.starts_with(begin); }))
      return true;
  }
  return false;
}

std::int64_t internal_files(const Run& run) {
  return std::ranges::count_if(single_files(run),
                               [](const FileUse& file) { return file.is_opened() && is_internal_file(file.name); });
}
std::int64_t program_files(const Run& run) { return run.file_count() - internal_files(run); }

}  // namespace trikal::analyze
