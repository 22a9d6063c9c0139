#pragma once
// Files that a program runs on, not works on: neither the runtime nor a predicted log has them, unless asked for.

#include <cstddef>
#include <string_view>

namespace trikal {

inline constexpr std::string_view kSystemPrefixes[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                                       "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
inline constexpr std::string_view kReadmitted = "/var/opt/cray/dws/mounts/";

// Those of them where some keep data: who uses files there is told that they are not watched.
inline constexpr std::string_view kDataPrefixes[] = {"/opt/", "/var/", "/usr/", "/dev/shm/"};
inline constexpr std::size_t kDataPrefixCount = sizeof kDataPrefixes / sizeof kDataPrefixes[0];

[[nodiscard]] constexpr bool is_system_path(std::string_view path) noexcept {
  if (path.starts_with(kReadmitted)) return false;
  for (const std::string_view prefix : kSystemPrefixes)
    if (path.starts_with(prefix)) return true;
  return false;
}

// What MPI and other libraries have in /dev/shm is memory that processes share, not data of the user.
[[nodiscard]] constexpr bool is_shared_memory(std::string_view path) noexcept {
  constexpr std::string_view kFolder = "/dev/shm/";
  constexpr std::string_view kStarts[] = {".",    "vader_", "sm_",  "osc_", "ompi", "pmix", "mpich",
                                          "ucx_", "psm",    "ofi_", "sem.", "shm-", "nccl", "trikal-"};
  if (!path.starts_with(kFolder)) return false;
  for (const std::string_view start : kStarts)
    if (path.substr(kFolder.size()).starts_with(start)) return true;
  return false;
}

}  // namespace trikal
