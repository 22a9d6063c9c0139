#include "gather/rings/live_names.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include "gather/maps.hpp"
#include "gather/run_directory.hpp"

namespace trikal::gather {
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::nanoseconds kBetweenLooks = std::chrono::milliseconds(20);

std::uint64_t now() { return static_cast<std::uint64_t>(steady_clock::now().time_since_epoch().count()); }

}  // namespace

LiveNames::Key LiveNames::key_of(const log::crash::Identity& identity) {
  return {identity.pid_namespace, identity.pid, identity.start_ticks, identity.generation};
}

void LiveNames::learn(const log::crash::MapView& map) {
  programs_.try_emplace(key_of(map.header().identity), program_facts(map));
  map.for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
    if (chunk.kind != log::crash::ChunkKind::kNames) return;
    log::crash::for_each_name(slots, [&](std::uint64_t id, std::string_view name) { files_.try_emplace(id, name); });
  });
}

// Entries are only ever appended.
void LiveNames::learn_finished(const std::string& directory, std::size_t& known) {
  const std::shared_ptr<FinishedFile> file = FinishedFile::open(finished_file(directory));
  if (file == nullptr) return;
  for (; known < file->count(); ++known) learn(MapFile(file, known).view());
}

// First the map of the process, which goes away when it is put away, and then those that were: so it is in one of them.
void LiveNames::look(const RingProcess& process) {
  const std::uint64_t since = now() - last_look_;
  const auto least = static_cast<std::uint64_t>(kBetweenLooks.count());
  if (since < least) std::this_thread::sleep_for(std::chrono::nanoseconds(least - since));
  const std::string name = std::filesystem::path(process.map).filename().string();
  for (const std::string& where : {directory_, overflow_of(directory_)}) {
    if (auto map = MapFile::open(where + "/" + name)) learn(map->view());
  }
  learn_finished(directory_, finished_);
  learn_finished(overflow_of(directory_), finished_elsewhere_);
  last_look_ = now();
}

// What no map has is not looked for again.
const std::string& LiveNames::file(const RingProcess& process, std::uint64_t id) {
  if (const auto known = files_.find(id); known != files_.end()) return known->second;
  look(process);
  return files_[id];
}

const ProgramFacts& LiveNames::program(const RingProcess& process) {
  const Key key = key_of(process.identity);
  if (const auto known = programs_.find(key); known != programs_.end()) return known->second;
  look(process);
  return programs_.try_emplace(key, ProgramFacts{.uid = -1, .job_id = -1, .start = ProgramFacts::kNoStart})
      .first->second;
}

}  // namespace trikal::gather
