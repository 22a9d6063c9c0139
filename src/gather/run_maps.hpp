#pragma once
// What the processes of one `trikal run` left: the maps of those that go on, and of finished ones what was put away.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "gather/maps.hpp"

namespace trikal::gather {

struct RunMaps {
  std::vector<MapFile> maps;
  std::uint64_t lost = 0;  // processes that found no space for a map
  std::vector<std::pair<std::string, Error>> damaged;  // files, of which the maps have what can be read
};

[[nodiscard]] RunMaps load_run(const std::string& directory);

}  // namespace trikal::gather
