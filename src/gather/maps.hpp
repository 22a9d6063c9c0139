#pragma once
// Crash maps found on this machine: whose they are, whether their process still lives.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "gather/finished_file.hpp"
#include "gather/liveness.hpp"
#include "log/crash/map_ref.hpp"
#include "schema/system_paths.hpp"

namespace trikal::gather {

// What is known of a process without fetching its map.
struct MapFacts {
  log::crash::Identity identity;
  log::crash::JobFacts job;
  log::crash::State state = log::crash::State::kRunning;
  bool has_records = false;
  bool tells_mounts = false;
  bool starts_ranks = false;  // it is mpirun or the like
  bool is_remote = false;     // it could not reach the directory of its run
  bool names_files = false;  // not only standard streams
  std::array<std::uint32_t, kDataPrefixCount> excluded = {};  // uses of files that are not watched
  log::crash::MapContents contents;
};

// A process of our pid namespace that does not run any more; no start: none.
struct EndedProcess {
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;
};

// A map, copied: its process may still be writing to it, or be gone with it. That of a finished process may be in the
// file of all of these, and is fetched whenever somebody looks at it: there may be more than fits into memory.
class MapFile {
 public:
  // Refuses what is no regular file of this user's own. `ended`: whose end the caller has seen already.
  static Result<MapFile> open(const std::string& path, const EndedProcess& ended = {});
  // The same of bytes that were read already.
  static Result<MapFile> from_memory(std::string path, std::vector<std::byte> bytes);
  // The same of an entry of that file.
  MapFile(std::shared_ptr<FinishedFile> file, std::size_t entry);

  [[nodiscard]] const MapFacts& facts() const { return facts_; }
  // While this object stays where it is.
  [[nodiscard]] log::crash::MapRef ref() const;
  // What it points to stays until a few others have been looked at.
  [[nodiscard]] log::crash::MapView view() const { return fetch(); }
  // What of it will be in no log, and where: a part that is damaged, or records of a module that only another version knows.
  [[nodiscard]] Status damage() const;
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  // Empty: it has no file of its own.
  [[nodiscard]] const std::string& path() const { return path_; }
  // Its command line, quoted as a shell wants it.
  [[nodiscard]] std::string command() const;
  [[nodiscard]] Life life() const { return life_; }
  [[nodiscard]] bool process_lives() const { return life_ == Life::kLives; }

 private:
  MapFile(std::string path, std::vector<std::byte> bytes, const log::crash::MapView& view, Life life);
  [[nodiscard]] log::crash::MapPin fetch() const;

  std::string path_;
  std::vector<std::byte> bytes_;
  std::optional<log::crash::MapView> view_;  // of these bytes
  std::shared_ptr<FinishedFile> file_;
  std::size_t entry_ = 0;
  MapFacts facts_;
  Life life_;
};

// Whether a process got so far as to note anything there; one that is killed while it starts did not.
[[nodiscard]] bool has_begun(const std::string& path);

// Every file in a directory whose name ends so, in no order; every map.
[[nodiscard]] std::vector<std::string> list_files(const std::string& directory, std::string_view ending);
[[nodiscard]] std::vector<std::string> list_maps(const std::string& directory);

void remove_map(const std::string& path);

// The directories maps of this user are in, outside of `trikal run`.
[[nodiscard]] std::vector<std::string> map_directories();

}  // namespace trikal::gather
