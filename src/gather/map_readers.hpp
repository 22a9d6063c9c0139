#pragma once
// Readers that sample the maps of a run while it goes on, as a live view does. One that is registered has looked at the
// map of a finished process before that is put away. The protocol is in docs/formats/run-directory.md.

#include <cstdint>
#include <string>
#include <vector>

#include "gather/file_lock.hpp"

namespace trikal::gather {

[[nodiscard]] std::uint64_t monotonic_nanoseconds();

// The reader's side: registered for as long as this lives.
class MapReader {
 public:
  explicit MapReader(const std::string& run_directory);
  ~MapReader();
  MapReader(const MapReader&) = delete;
  MapReader& operator=(const MapReader&) = delete;

  // False: there is no such run, or no space to say that we read.
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(lock_); }
  // Around looking at all maps once.
  void begin_round() { began_ = monotonic_nanoseconds(); }
  void end_round() const;

 private:
  std::string path_;
  FileLock lock_;
  std::uint64_t began_ = 0;
};

// The other side.
class MapReaders {
 public:
  explicit MapReaders(std::string run_directory) : directory_(std::move(run_directory)) {}

  // A file of this name is in the run's directory.
  void note(std::string_view name);
  // Whether every reader has begun and ended a round since then.
  [[nodiscard]] bool have_looked_since(std::uint64_t moment);

 private:
  std::string directory_;
  std::vector<std::string> names_;
};

}  // namespace trikal::gather
