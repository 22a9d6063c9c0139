#pragma once
// A run while it goes on, on a terminal: what it does now, with which files, by whom, and what the machine does meanwhile.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/operations.hpp"

namespace trikal::report {

struct LiveAmount {
  double calls = 0, bytes = 0, seconds = 0;
};

struct LiveFile {
  std::string name;
  double bytes_now = 0;  // a second
  LiveAmount total;
};

struct LiveProcess {
  std::int64_t rank = -1, pid = 0;
  std::string command;
  double bytes_now = 0;
  LiveAmount total;
};

// What the machine has; what is not known is not shown.
struct LiveMachine {
  std::optional<double> cpu_busy, cpu_waits, memory_available, disk_read, disk_written, io_pressure;
};

// Emitted are those that were stored or dropped.
struct LiveEvents {
  std::uint64_t emitted = 0, stored = 0, dropped = 0;
};

struct LiveScreen {
  std::string command;
  double elapsed = 0;
  std::size_t processes = 0, files = 0;
  std::array<LiveAmount, kOperations> now{}, total{};  // now: a second
  std::vector<LiveFile> busiest_files;
  std::vector<LiveProcess> busiest_processes;
  LiveMachine machine;
  std::vector<std::string> findings;
  std::uint64_t kept = 0;  // numbers that went back
  std::optional<LiveEvents> events;  // none: none were asked for
  std::string store;  // empty: nothing is stored
};

// Lines of at most so many characters, without an end of their own. Names of files are text of somebody else: made printable.
[[nodiscard]] std::vector<std::string> live_lines(const LiveScreen& screen, std::size_t width);
// The same in one line, for what is no terminal.
[[nodiscard]] std::string live_line(const LiveScreen& screen);

}  // namespace trikal::report
