#include "gather/run_maps.hpp"

#include <set>
#include <tuple>

#include "gather/run_directory.hpp"

namespace trikal::gather {
namespace {

// Whoever was killed while it put a map away may have left it in both directories.
auto key_of(const MapFile& map) {
  const auto& [identity, job] = std::tie(map.facts().identity, map.facts().job);
  return std::tuple(identity.pid_namespace, identity.pid, identity.start_ticks, identity.generation, job.start_sec,
                    job.start_nsec);
}

}  // namespace

RunMaps load_run(const std::string& directory) {
  RunMaps run;
  run.lost = list_files(directory, ".lost").size();
  std::set<decltype(key_of(run.maps.front()))> known;
  for (const std::string& where : {directory, overflow_of(directory)}) {
    const std::shared_ptr<FinishedFile> file = FinishedFile::open(finished_file(where));
    for (std::size_t i = 0; file != nullptr && i < file->count(); ++i) {
      run.maps.emplace_back(file, i);
      known.insert(key_of(run.maps.back()));
    }
  }
  for (const std::string& path : run_maps(directory)) {
    auto map = MapFile::open(path);
    if (!map && has_begun(path)) run.damaged.emplace_back(path, map.error());
    if (!map || known.contains(key_of(*map))) continue;
    if (const Status damage = map->damage(); !damage.ok()) run.damaged.emplace_back(path, damage.error());
    run.maps.push_back(std::move(*map));
  }
  return run;
}

}  // namespace trikal::gather
