#pragma once
// Puts the maps of processes that have ended into one small file while the command goes on: a command that starts
// thousands of programs would fill the memory that its own files in /dev/shm need.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gather/directory_watch.hpp"
#include "gather/file_lock.hpp"
#include "gather/finished_file.hpp"
#include "gather/map_readers.hpp"
#include "gather/maps.hpp"
#include "gather/run_directory.hpp"

namespace trikal::gather {

class Collector {
 public:
  explicit Collector(const RunDirectory& directory);

  // Readable when there is work; -1: never.
  [[nodiscard]] int descriptor() const { return watch_.descriptor(); }
  // Answers in how many milliseconds it wants to be called again, at the latest; -1: when the descriptor is readable.
  int work();
  // Everything that has ended by now, whoever reads it.
  void finish();

 private:
  using Moment = std::uint64_t;  // nanoseconds of the monotonic clock
  // A map that nobody has mapped any more, as it seems.
  struct Candidate {
    Moment seen = 0, next = 0;
    int tries = 0;
    std::size_t bytes = 0;  // while it waits for readers
  };
  enum class Outcome : std::uint8_t { kDone, kNotYet, kWaits, kStays };
  using Process = std::pair<std::int64_t, std::uint64_t>;  // id, start
  struct Name {
    Process process;
    bool lives = false;  // as seen from our pid namespace
  };

  [[nodiscard]] bool is_elected();
  void note_readers();
  void read_news();
  void consider_due(Moment now);
  bool settle(const std::string& path, Candidate& candidate, Moment now);
  void sweep(Moment now);
  [[nodiscard]] int next_call(Moment now) const;
  Outcome consider(const std::string& path, Candidate& candidate);
  [[nodiscard]] static Name name_of(const std::string& path);
  Outcome without_map(const std::string& path, const Name& name);
  [[nodiscard]] bool wait_for_readers(const MapFile& map, Candidate& candidate);
  bool keep(const MapFile& map);
  void put_away(const std::string& path, const Name& name, bool goes_on);

  std::string directory_;
  FileLock elected_;
  DirectoryWatch watch_;
  MapReaders readers_;
  std::vector<std::unique_ptr<FinishedWriter>> files_;
  std::unordered_map<std::string, Candidate> candidates_;  // by path
  std::unordered_set<std::string> stay_;  // maps that are left for the end
  std::map<Process, std::vector<std::string>> markers_;  // of earlier programs of living processes
  std::size_t waiting_bytes_ = 0;
  Moment last_sweep_ = 0, sweep_took_ = 0;
  bool news_ = true;  // since the last sweep
  bool ending_ = false;
};

}  // namespace trikal::gather
