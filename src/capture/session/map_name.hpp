#pragma once
// Where a process's crash map goes: a directory of its user's own, a name that tells which process wrote it.

#include <cstddef>
#include <cstdint>

#include "capture/session/config.hpp"
#include "log/crash/layout.hpp"

namespace trikal::capture {

class MapName {
 public:
  // The directories a map may be in, best first, until one has space. Null: there are no more that are safe to use.
  // Sets the generation: the first that is not taken by maps that earlier programs of this process left when they called
  // exec. A process that sees no directory of its run is told so: Config::is_remote.
  // `is_known`: the identity's generation is most likely free, and is looked for only if it is not.
  const char* first(Config& config, log::crash::Identity& identity, bool is_known) noexcept;
  const char* next() noexcept;
  // Of another program of the same process, in the directory of that map.
  const char* beside(const char* map, log::crash::Identity& identity) noexcept;
  // Of a process that found no space: an empty file tells `trikal run` that it was there. False: nor for that.
  bool leave_mark() noexcept;

 private:
  bool find(int attempt) noexcept;
  bool find_of_run(int attempt) noexcept;
  bool use(const char* directory, bool shared_parent) noexcept;
  [[nodiscard]] bool is_private() noexcept;
  [[nodiscard]] bool is_crowded() const noexcept;
  [[nodiscard]] bool can_hold_maps() const noexcept;
  const char* unused() noexcept;
  const char* name(const char* ending) noexcept;

  static constexpr int kAttemptsOfRun = 3, kAttempts = 2 * kAttemptsOfRun;
  static constexpr std::size_t kBytes = 512;
  Config* config_ = nullptr;
  log::crash::Identity* identity_ = nullptr;
  int attempt_ = 0;
  bool crowded_ = false, reachable_ = false;
  bool is_known_ = false, look_again_ = false;
  std::int64_t directory_size_ = 0;
  char directory_[kBytes] = {};
  char path_[kBytes] = {};
};

}  // namespace trikal::capture
