#pragma once
// Sums over all that a log has, for a page that lists a part of it: files by use and by directory, processes by program,
// HDF5's datasets.

#include "report/json/run_shapes.hpp"

namespace trikal::report {

struct FileKind {
  std::string_view use;
  std::int64_t files = 0, bytes_read = 0, bytes_written = 0;
  double seconds = 0, mean_size = 0;
  std::int64_t largest_size = 0;
};
template <>
struct Shape<FileKind> {
  static constexpr std::string_view kName = "FileKind", kMeaning = "Files that were used alike.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"use", &FileKind::use, "\"only read\", \"only written\", \"read and written\", \"no data moved\""},
      Field{"files", &FileKind::files},
      Field{"bytes_read", &FileKind::bytes_read},
      Field{"bytes_written", &FileKind::bytes_written},
      Field{"seconds", &FileKind::seconds},
      Field{"mean_size", &FileKind::mean_size, "bytes up to the last one that was moved"},
      Field{"largest_size", &FileKind::largest_size},
  };
};
// Without those that are MPI's own, here and in directories.
[[nodiscard]] std::vector<FileKind> file_kinds(const Run& run);

struct DirectoryRow {
  std::string path;
  std::int64_t files = 0, opens = 0, bytes_read = 0, bytes_written = 0;
  double seconds = 0;
};
template <>
struct Shape<DirectoryRow> {
  using Row = DirectoryRow;
  static constexpr std::string_view kName = "Directory", kMeaning = "All files at or below a directory.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"path", &Row::path},
      Field{"files", &Row::files},
      Field{"opens", &Row::opens},
      Field{"bytes_read", &Row::bytes_read},
      Field{"bytes_written", &Row::bytes_written},
      Field{"seconds", &Row::seconds},
  };
};
// Each file in one of them; as deep as a table of them stays short. The slowest first.
[[nodiscard]] std::vector<DirectoryRow> directories(const Run& run);

struct ProgramRow {
  std::string_view exe;
  std::int64_t processes = 0, failed = 0;
  double seconds = 0, longest = 0, first = 0, last = 0;
};
template <>
struct Shape<ProgramRow> {
  using Row = ProgramRow;
  static constexpr std::string_view kName = "Program", kMeaning = "All processes that ran a program.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"exe", &Row::exe},
      Field{"processes", &Row::processes},
      Field{"failed", &Row::failed, "ended with a status other than 0"},
      Field{"seconds", &Row::seconds, "that they ran, added up"},
      Field{"longest", &Row::longest, "of one of them"},
      Field{"first", &Row::first, "when the first one began, seconds since the start"},
      Field{"last", &Row::last, "when the last one ended"},
  };
};
// Those that ran longest first.
[[nodiscard]] std::vector<ProgramRow> programs(const Run& run);
// A process that replaces its program has a row for each, and counts once.
[[nodiscard]] std::int64_t process_count(const Run& run);

template <>
struct Shape<analyze::Dataset> {
  using Row = analyze::Dataset;
  static constexpr std::string_view kName = "Dataset", kMeaning = "A dataset of HDF5, all ranks together.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"name", &Row::name},
      Field{"elements", &Row::elements},
      Field{"element_bytes", &Row::element_bytes},
      Field{"chunk_bytes", &Row::chunk_bytes, "0: no chunks"},
      Field{"scattered", &Row::scattered, "accesses by points or irregular hyperslabs"},
      Field{"collective", &Row::collective, "some accesses were"},
      Field{"reads", [](const Row& row) { return row.use.read.calls; }},
      Field{"writes", [](const Row& row) { return row.use.write.calls; }},
      Field{"bytes_read", [](const Row& row) { return row.use.read.bytes; }},
      Field{"bytes_written", [](const Row& row) { return row.use.write.bytes; }},
      Field{"seconds", [](const Row& row) { return row.use.seconds(); }},
  };
};
// The slowest first.
[[nodiscard]] std::vector<analyze::Dataset> slowest_datasets(const Run& run);

template <>
struct Shape<analyze::MessageTime> {
  using Time = analyze::MessageTime;
  static constexpr std::string_view kName = "MessageTime", kMeaning = "Time in calls of MPI.";
  static constexpr std::tuple kFields{
      Field{"ranks", &Time::ranks},
      Field{"seconds", &Time::all, "of all ranks"},
      Field{"slowest", &Time::slowest, "of the slowest rank"},
      Field{"slowest_rank", &Time::slowest_rank},
  };
};

[[nodiscard]] inline std::optional<analyze::MessageTime> messages_if_any(const Run& run) {
  return run.libraries.messages.ranks > 0 ? std::optional(run.libraries.messages) : std::nullopt;
}

}  // namespace trikal::report
