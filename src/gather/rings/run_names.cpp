#include "gather/rings/run_names.hpp"

#include <algorithm>
#include <cstring>

#include "gather/run_maps.hpp"
#include "log/crash/notes.hpp"

namespace trikal::gather {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::MapView;
using log::crash::ObjectSlot;
using log::crash::OperationSlot;

}  // namespace

std::uint64_t for_each_name_of(const MapView& map, const NamesUse& use) {
  const log::crash::Identity& identity = map.header().identity;
  if (use.program) use.program(identity, program_facts(map));
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind == ChunkKind::kNames) log::crash::for_each_name(slots, use.file);
  });
  log::crash::for_each_note<OperationSlot>(map, ChunkKind::kOperations, [&](const OperationSlot& slot) {
    const auto name = log::crash::operation_name(map, log::crash::Operation{slot.operation});
    use.operation(identity, slot.operation, name.interface, name.word);
  });
  log::crash::for_each_note<ObjectSlot>(map, ChunkKind::kObjects, [&](const ObjectSlot& slot) {
    use.object(identity, slot.number, {slot.path, std::min<std::size_t>(slot.path_bytes, ObjectSlot::kPathBytes)});
  });
  return map.header().self.events_lost.load();
}

ProgramFacts program_facts(const MapView& map) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const log::crash::Header& header = map.header();
  const auto seconds = static_cast<std::uint64_t>(header.job.start_sec);
  return {.uid = header.job.uid,
          .job_id = header.job.job_id,
          .start = static_cast<std::int64_t>(seconds * kSecond + static_cast<std::uint64_t>(header.job.start_nsec)),
          .node = std::string(header.host, ::strnlen(header.host, log::crash::kHostBytes)),
          .program = std::string(map.program())};
}

std::uint64_t for_each_name_of_run(const std::string& directory, const NamesUse& use) {
  std::uint64_t lost = 0;
  for (const MapFile& map : load_run(directory).maps) {
    lost += for_each_name_of(map.view(), use);
  }
  return lost;
}

}  // namespace trikal::gather
