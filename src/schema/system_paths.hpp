#pragma once
// Files that a program runs on, not works on: neither the runtime nor a predicted log has them, unless asked for.

#include <cstddef>
#include <string_view>

#include "base/short_text.hpp"

namespace trikal {

inline constexpr ShortText<7> kSystemPrefixes[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                                   "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
inline constexpr std::string_view kReadmitted = "/var/opt/cray/dws/mounts/";

// Those of them where some keep data: who uses files there is told that they are not watched.
inline constexpr ShortText<9> kDataPrefixes[] = {"/opt/", "/var/", "/usr/", "/dev/shm/"};
inline constexpr std::size_t kDataPrefixCount = sizeof kDataPrefixes / sizeof kDataPrefixes[0];

[[nodiscard]] constexpr bool is_system_path(std::string_view path) noexcept {
  if (path.starts_with(kReadmitted)) return false;
  for (const std::string_view prefix : kSystemPrefixes)
    if (path.starts_with(prefix)) return true;
  return false;
}

// How the names begin of what MPI and its like, and trikal, keep in directories for temporary files.
inline constexpr ShortText<17> kLibraryFiles[] = {
    "ompi.",           "openmpi-sessions-", "pmix",        "prte.",        "vader_segment.", "sm_segment.",
    "osc_rdma",        "mpich_shar_tmp",    "mpich_shm_",  "psm2_shm",     "psm3_shm",       "mvapich2_",
    "cray-shared-mem", "ucx_shm_posix_",    "trikal-run-", "trikal-more-", "Intel_MPI_"};

// In /dev/shm few others keep files, so there beginnings may be short.
inline constexpr ShortText<7> kSharedMemory[] = {".",   "vader_", "sm_",  "osc_", "ompi", "mpich",  "ucx_",
                                                 "psm", "ofi_",   "sem.", "shm-", "nccl", "trikal-"};

// Memory that processes share, not data of the user.
[[nodiscard]] constexpr bool is_shared_memory(std::string_view path) noexcept {
  constexpr std::string_view kFolder = "/dev/shm/";
  if (!path.starts_with(kFolder)) return false;
  const std::string_view name = path.substr(kFolder.size());
  for (const std::string_view start : kLibraryFiles)
    if (name.starts_with(start)) return true;
  for (const std::string_view start : kSharedMemory)
    if (name.starts_with(start)) return true;
  return false;
}

}  // namespace trikal
