#pragma once
// Maps of processes that could not reach the directory of their `trikal run`: those on other nodes, and those that see
// another /dev/shm. They bring them to a directory beside the log, which is there only if there are any.

#include <string>

#include "gather/run_maps.hpp"

namespace trikal::gather {

class RemoteMaps {
 public:
  // `log`: where it will be; `run_directory` gives the name. Nothing is made or looked for yet.
  RemoteMaps(const std::string& log, const std::string& run_directory);

  // Absolute; for the environment of the command.
  [[nodiscard]] const std::string& path() const { return path_; }
  // Adds them. Whoever is still writing comes too late.
  void load(RunMaps& run) const;
  // Processes that had something to send and have not done so: they were killed, or still run.
  [[nodiscard]] std::size_t missing() const;
  void remove() const;

 private:
  std::string path_;
};

}  // namespace trikal::gather
