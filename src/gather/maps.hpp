#pragma once
// Crash maps found on this machine: whose they are, whether their process still lives.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "log/crash/view.hpp"

namespace trikal::gather {

// A map, copied: its process may still be writing to it, or be gone with it.
class MapFile {
 public:
  // Refuses what is no regular file of this user's own.
  static Result<MapFile> open(const std::string& path);
  // The same of bytes that were read already.
  static Result<MapFile> from_memory(std::string path, std::vector<std::byte> bytes);

  [[nodiscard]] const log::crash::MapView& view() const { return view_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool process_lives() const { return lives_; }

 private:
  MapFile(std::string path, std::vector<std::byte> bytes, const log::crash::MapView& view);

  std::string path_;
  std::vector<std::byte> bytes_;
  log::crash::MapView view_;
  bool lives_;
};

// Every map in a directory, in no order.
[[nodiscard]] std::vector<std::string> list_maps(const std::string& directory);

// The directories maps of this user are in, outside of `trikal run`.
[[nodiscard]] std::vector<std::string> map_directories();

// Private directories of `trikal run`, named after its process.
struct RunDirectory {
  std::string path;
  bool in_use = false;  // that process still exists
};
[[nodiscard]] std::vector<RunDirectory> run_directories();
// Whether that is one, by its name.
[[nodiscard]] bool is_run_directory(const std::string& path);
// A new one, in memory where there is such a place. Empty: none can be made.
[[nodiscard]] std::string make_run_directory();
// The same for all that one process has started: whoever comes first makes it. Nobody else's is used.
[[nodiscard]] std::string share_run_directory(pid_t starter);

// Whether the very process that wrote the map still exists: same boot, same pid, same start.
[[nodiscard]] bool is_alive(const log::crash::Identity& identity);

}  // namespace trikal::gather
