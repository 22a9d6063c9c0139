#pragma once
// Where a process's crash map goes: a directory of its user's own, a name that tells which process wrote it.

#include <cstddef>

#include "capture/session/config.hpp"
#include "log/crash/layout.hpp"

namespace trikal::capture {

class MapName {
 public:
  // Makes the directory where it is missing. False: there is none that is safe to use.
  bool find_directory(const Config& config) noexcept;
  // "<directory>/<pid>-<start ticks>-<generation>.map"
  const char* name(const log::crash::Identity& identity) noexcept;
  // The first that is not taken, by maps that earlier programs of this process left behind when they called exec.
  const char* unused(log::crash::Identity& identity) noexcept;

 private:
  bool use(const char* directory, bool shared_parent) noexcept;
  static constexpr std::size_t kBytes = 512;
  char directory_[kBytes] = {};
  char path_[kBytes] = {};
};

}  // namespace trikal::capture
