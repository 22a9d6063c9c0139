#pragma once
// Files that a program runs on, not works on: neither the runtime nor a predicted log has them, unless asked for.

#include <cstddef>
#include <string_view>

namespace trikal {

inline constexpr std::string_view kSystemPrefixes[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                                       "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
inline constexpr std::string_view kReadmitted = "/var/opt/cray/dws/mounts/";

// Those of them where some sites keep data: who uses files there is told that they are not watched.
inline constexpr std::string_view kDataPrefixes[] = {"/opt/", "/var/", "/usr/"};
inline constexpr std::size_t kDataPrefixCount = sizeof kDataPrefixes / sizeof kDataPrefixes[0];

[[nodiscard]] constexpr bool is_system_path(std::string_view path) noexcept {
  if (path.starts_with(kReadmitted)) return false;
  for (const std::string_view prefix : kSystemPrefixes)
    if (path.starts_with(prefix)) return true;
  return false;
}

}  // namespace trikal
