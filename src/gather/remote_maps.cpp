#include "gather/remote_maps.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/run_location.hpp"
#include "gather/liveness.hpp"

namespace trikal::gather {

RemoteMaps::RemoteMaps(const std::string& log, const std::string& run_directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path beside = fs::absolute(log.empty() ? "log" : log, error).parent_path();
  struct stat status{};
  (void)::stat(run_directory.c_str(), &status);
  path_ = (beside / fmt::format(".{}.{}", fs::path(run_directory).filename().string(),
                                run_location(own_identity().boot, status.st_dev)))
              .string();
}

void RemoteMaps::load(RunMaps& run) const {
  for (const std::string& file : list_maps(path_)) {
    auto map = MapFile::open(file);
    if (const Status damage = map ? map->damage() : map.error(); !damage.ok())
      run.damaged.emplace_back(file, damage.error());
    if (map) run.maps.push_back(std::move(*map));
  }
}

std::size_t RemoteMaps::missing() const {
  std::error_code error;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error))
    count += entry.path().native().ends_with(".map_partial") ? std::size_t{1} : 0;
  return count;
}

void RemoteMaps::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace trikal::gather
