#pragma once
// What the user asked for. docs/configuration.md lists the names.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/launcher.hpp"
#include "base/redact.hpp"
#include "capture/session/settings.hpp"
#include "schema/module.hpp"
#include "stream/wire/event_spec.hpp"
#include "stream/wire/trace_spec.hpp"

namespace trikal::capture {

struct Config {
  bool disabled = false;
  std::size_t memory = 64UL * 1024 * 1024;  // the arena's cap
  std::uint64_t memory_alignment = 8;       // what buffers are tested against
  // Paths are absolute from the beginning: programs change their directory.
  const char* log_file = nullptr;           // the log's exact name
  const char* log_path = nullptr;           // or the directory that gets one a process
  bool dated_path = true;                   // with year/month/day below it
  const char* run_directory = nullptr;      // set by `trikal run`: maps are left there, it writes the log
  const char* run_overflow = nullptr;       // the same on another file system, for when that one is full or hidden
  const char* remote_directory = nullptr;   // set by it, too: copies of maps go there where that is out of reach
  bool is_remote = false;                   // it is
  const char* map_directory = nullptr;      // where the crash map goes otherwise
  std::string_view exclude;                 // comma list of path prefixes not to watch
  std::string_view include;                 // watched all the same
  bool default_excludes = true;
  bool has_name_rules = false;  // NAME_EXCLUDE in the configuration file
  RedactRules redact;           // what of the command line is hidden
  LaunchedTask task;            // which one this is, as a launcher told
  std::uint64_t job_key = 0;    // the same for all that the launcher started together; 0: not known
  std::int64_t job_id = 0;
  std::uint64_t modules_off = 0;  // a bit a module id
  double mpi_deadline = 30;       // seconds that ranks wait for each other to write one log; 0: each writes its own
  bool shared_reduction = true;   // files of all ranks get one record
  bool call_sites = false;        // note where calls come from
  stream::EventSpec events;       // which events go to rings
  stream::TraceSpec trace;        // which events are kept in the map
  std::size_t trace_memory = 32UL * 1024 * 1024;  // of the arena, for those
  bool time_all = false;          // also calls that stay in a stream's buffer
  bool internal_timing = false;   // the root tells how long the job's log took
  bool leaves_out_ranks = false;  // by rules of the configuration: then there are ranks that nobody should wait for

  void read() noexcept;
  // `trikal run` reads the map once the process is gone.
  [[nodiscard]] bool leaves_map() const noexcept { return run_directory != nullptr && !is_remote; }
  [[nodiscard]] const KeptEnvironment& environment() const noexcept { return settings_.environment(); }
  // Where relative paths are meant from, ended by a slash; empty: there are none.
  [[nodiscard]] std::string_view beginning() const noexcept { return {beginning_, beginning_bytes_}; }
  // Whether files of that (clean) name are watched.
  [[nodiscard]] bool watches(std::string_view path) const noexcept;
  [[nodiscard]] bool is_off(ModuleId module) const noexcept { return ((modules_off >> module) & 1) != 0; }

 private:
  void read_paths() noexcept;
  [[nodiscard]] const char* absolute(const char* path) noexcept;
  void read_modules() noexcept;
  void read_trace() noexcept;
  [[nodiscard]] std::string_view list(const char* name) const noexcept;  // of Darshan's name; empty if not set
  [[nodiscard]] bool leaves_out_program() const noexcept;
  [[nodiscard]] bool leaves_out_rank() const noexcept;
  [[nodiscard]] bool admitted_by_rules(std::string_view path) const noexcept;

  static constexpr std::size_t kRelativeBytes = 4096, kMostRelative = 6;
  std::size_t beginning_bytes_ = 0;
  std::size_t relative_count_ = 0;
  Settings settings_;
  char beginning_[kRelativeBytes] = {};
  char relative_[kMostRelative][kRelativeBytes] = {};  // those that were relative
};

}  // namespace trikal::capture
