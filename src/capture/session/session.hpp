#pragma once
// One observed process: everything the wrappers work on. Starts at the first call that reaches a wrapper (libraries do
// I/O before any constructor of ours runs), ends with the process.

#include <atomic>
#include <cstdint>
#include <string_view>

#include "capture/clock/clock.hpp"
#include "capture/guard/inside.hpp"
#include "capture/session/config.hpp"
#include "capture/session/mounts.hpp"
#include "capture/session/paths.hpp"
#include "capture/tables/arena.hpp"
#include "capture/tables/descriptors.hpp"
#include "capture/tables/files.hpp"
#include "capture/tables/recent_files.hpp"

namespace trikal::capture {

// In the process of another C library nothing is to be watched: streams, for one, look different.
[[nodiscard]] bool is_glibc() noexcept;

enum class Phase : std::uint8_t { kCold, kStarting, kRunning, kOff };

class Session {
 public:
  // Whether calls are to be noted. Starts the session if nobody has yet.
  [[nodiscard]] bool running() noexcept {
    const Phase phase = phase_.load(std::memory_order_acquire);
    return phase == Phase::kRunning || (phase == Phase::kCold && start());
  }

  void stop(int exit_status) noexcept;          // at the end of the process: writes the log
  void mark_ended(int exit_status) noexcept;    // as stop, but what still comes is noted too
  void leave_mpi() noexcept;                    // in MPI_Finalize: one log for all ranks, if they can agree on it
  void before_exec() noexcept;                  // what was seen so far must survive the new program
  void exec_failed() noexcept;
  void after_fork_in_child() noexcept;
  void after_fork_in_parent() noexcept { descriptors.after_fork_in_parent(); }
  void note_exit_status(int status) noexcept;  // exit was called; destructors do not know with what
  [[nodiscard]] int exit_status() const noexcept { return arena.header() != nullptr ? arena.header()->exit_status : 0; }
  // Nothing is observed, the application goes on. Says so once on stderr.
  void give_up(const char* why) noexcept;
  // One line, if standard error is still what it was when the program began.
  void say(const char* what, const char* why) noexcept;

  [[gnu::always_inline]] void missed() noexcept {
    if (arena.header() != nullptr) arena.header()->self.missed.fetch_add(1, std::memory_order_relaxed);
  }

  // The mounts go into the map with the first record of a process that will write a log of its own.
  void describe_mounts() noexcept;

  // Of the kernel's clock: it is known before ours is.
  [[nodiscard]] static std::int64_t nanoseconds() noexcept;
  // Starting and stopping to observe has taken from then until now.
  void add_own_time(std::int64_t since) noexcept;

  // When the process began to end.
  [[nodiscard]] Ticks stopping() const noexcept { return stopping_; }

  [[nodiscard]] Span span(Ticks begin, Ticks end) noexcept { return clock.span(begin, end); }

  // The file a path means, made absolute and clean; null if it is not to be watched.
  File* file_at(int directory, const char* path) noexcept;
  // Only a file that is known already; `watched` tells whether it would be watched otherwise.
  File* known_file_at(int directory, const char* path, bool* watched = nullptr) noexcept;
  // The record that stands for all files on the mount of `name` once memory is full.
  File* folded_file(std::string_view name) noexcept;
  // A file that has no record of its own, by the hash of its name. Each counts once.
  void count_folded(std::uint64_t id) noexcept;

  // What every process touches comes first, on one page; buffers that few use are at the end.
 private:
  std::atomic<Phase> phase_{Phase::kCold};
  std::uint64_t stderr_device_ = 0, stderr_inode_ = 0;
  Ticks stopping_ = 0;
  bool set_aside_ = false;  // the map, until exec has failed

 public:
  Descriptors descriptors;
  Files files;
  Arena arena;
  Clock clock;
  Config config;
  RecentFiles recent_files;
  Mounts mounts;
  Paths paths;

 private:
  void note_excluded(std::string_view name) noexcept;
  bool start() noexcept;  // process/start.cpp
  bool begin() noexcept;
  bool begin_map(log::crash::Header* parents) noexcept;
  [[nodiscard]] bool needs_map_at_once(const log::crash::Identity& identity) const noexcept;
  [[nodiscard]] Arena::Location map_location(log::crash::Identity& identity, bool is_known) noexcept;
  static void make_map_late() noexcept;
  void describe_job() noexcept;
  void describe_machine(const log::crash::Header* parents) noexcept;
  void remember_stderr() noexcept;
  static void forget_folded() noexcept;
  [[nodiscard]] bool is_owner() const noexcept;
};

extern constinit Session session;

inline TickInterval::operator Span() const noexcept { return session.span(begin, end); }

}  // namespace trikal::capture
