#include "analyze/dataset/internal_files.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

// The first part of a path below a directory for temporary files.
constexpr std::string_view kBegins[] = {
    "ompi.",           "openmpi-sessions-", "pmix",        "prte.",        "vader_segment.", "sm_segment.",
    "osc_rdma",        "mpich_shar_tmp",    "mpich_shm_",  "psm2_shm",     "psm3_shm",       "mvapich2_",
    "cray-shared-mem", "ucx_shm_posix_",    "trikal-run-", "trikal-more-", "Intel_MPI_"};
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
    if (std::ranges::any_of(kBegins, [rest](std::string_view begin) { return rest.starts_with(begin); })) return true;
  }
  return false;
}

}  // namespace trikal::analyze
