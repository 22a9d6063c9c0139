#pragma once
// What pages ask a store: sums over rollups in groups, and the short lists around them. Answers are tables, because that is what
// a page draws and what a person downloads.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trikal::storage {

struct Table;

// What rows are grouped by, in the order of the columns.
enum class By : std::uint8_t { kRun, kTime, kOperation, kInterface, kRank, kProcess, kFile, kHost };
inline constexpr std::size_t kGroups = 8;
inline constexpr std::array<std::string_view, kGroups> kGroupNames = {"run",  "time",    "operation", "interface",
                                                                      "rank", "process", "file",      "host"};

// Of which layers of the I/O stack. An access through MPI-IO is seen again in POSIX, so the sum of all layers counts it twice.
enum class Layers : std::uint8_t { kLowest, kAll };  // kLowest: POSIX and STDIO, what reaches the kernel

struct PanelQuery {
  std::int64_t run = 0;  // its number in the store; 0: all
  std::optional<std::int64_t> rank, process;
  std::optional<std::string> file, interface, operation;
  Layers layers = Layers::kLowest;  // unless an interface is named
  std::int64_t from = 0, to = 0;  // seconds since 1970, to is not included; 0: no bound
  std::vector<By> by;
  std::size_t slices = 300;  // of time, at most
  std::size_t most = 100'000;  // rows: those with the most seconds, or the first in time
};

struct SystemQuery {
  std::string host;
  std::int64_t from = 0, to = 0;
  std::size_t slices = 300;
};

class Panels {
 public:
  virtual ~Panels() = default;

  // run, start, end, command, host, processes, ranks, running, read_bytes, written_bytes, seconds; the newest first.
  virtual Result<Table> runs() = 0;
  // The groups asked for, then calls, bytes, seconds. Time is the begin of a slice; `width` says how long that is.
  virtual Result<Table> sums(const PanelQuery& query, std::int64_t* width = nullptr) = 0;
  // process, pid, parent, rank, state, start, host, command
  virtual Result<Table> processes(std::int64_t run) = 0;
  // time, metric, device, value: the mean over each slice.
  virtual Result<Table> system(const SystemQuery& query, std::int64_t* width = nullptr) = 0;
  // code, severity, seconds, title, first, last: each finding once, as it was seen last.
  virtual Result<Table> findings(std::int64_t run) = 0;
  // process, pid, rank, thread, depth, name, begin, end (seconds since 1970; null: it goes on)
  virtual Result<Table> phases(std::int64_t run) = 0;
  // The time of the newest value in the store, in seconds since 1970.
  virtual std::optional<double> newest() = 0;
  // cause, count
  virtual Result<Table> drops(std::int64_t run) = 0;
  // thread counts of a run's events (0: of all runs): pid, rank, thread, emitted, stored, dropped, sampled_out, filtered, deleted.
  virtual Result<Table> event_counts(std::int64_t run) = 0;
  // The numbers that batches have for a run and a process; none: there is no such.
  virtual std::optional<std::uint64_t> run_key(std::int64_t run) = 0;
  virtual std::optional<std::uint64_t> process_key(std::int64_t process) = 0;
  // Grows whenever anything is stored, by whichever process.
  virtual std::int64_t version() = 0;
};

}  // namespace trikal::storage
