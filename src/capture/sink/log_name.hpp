#pragma once
// Where a process's own log goes and what it is called: Darshan's conventions.
//   <log path>/<year>/<month>/<day>/<user>_<program>_id<job>-<pid>_<month>-<day>-<second>-<hash>_<seconds>.darshan

#include <cstddef>

#include "capture/session/config.hpp"
#include "log/crash/layout.hpp"

namespace trikal::capture {

class LogName {
 public:
  // Makes the directories. False: no directory could be used. The header must outlive the name.
  bool choose(const Config& config, const log::crash::Header& header) noexcept;

  [[nodiscard]] const char* path() const noexcept { return path_; }
  [[nodiscard]] const char* temporary() const noexcept { return temporary_; }
  // For the writer, where the name is taken by the time the log is whole.
  [[nodiscard]] static const char* another(void* self) noexcept;

 private:
  bool name_given(const char* given) noexcept;

  static constexpr std::size_t kBytes = 4096;
  const char* given_ = nullptr;  // by the user
  const log::crash::Header* header_ = nullptr;
  int attempts_ = 0;
  char path_[kBytes] = {};
  char temporary_[kBytes] = {};
};

}  // namespace trikal::capture
