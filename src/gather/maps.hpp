#pragma once
// Crash maps found on this machine: whose they are, whether their process still lives.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "gather/liveness.hpp"
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
  // Its command line, quoted as a shell wants it.
  [[nodiscard]] std::string command() const;
  [[nodiscard]] Life life() const { return life_; }
  [[nodiscard]] bool process_lives() const { return life_ == Life::kLives; }

 private:
  MapFile(std::string path, std::vector<std::byte> bytes, const log::crash::MapView& view);

  std::string path_;
  std::vector<std::byte> bytes_;
  log::crash::MapView view_;
  Life life_;
};

// Whether a process got so far as to note anything there; one that is killed while it starts did not.
[[nodiscard]] bool has_begun(const std::string& path);

// Every map in a directory, in no order.
[[nodiscard]] std::vector<std::string> list_maps(const std::string& directory);

// The directories maps of this user are in, outside of `trikal run`.
[[nodiscard]] std::vector<std::string> map_directories();

}  // namespace trikal::gather
