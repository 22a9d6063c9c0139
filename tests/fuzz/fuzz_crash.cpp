// A crash map, whole, made into a log as `trikal recover` does: alone, or in a job with a map that is sound. Whatever
// the map says, the log it becomes can be read without a complaint and has every record that is in a sound chunk.
// The inputs to begin with are made here: the mutator answers an input that is no map with a map of everything.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "fuzz/consume.hpp"
#include "gather/job_log.hpp"
#include "log/crash/to_log.hpp"
#include "log/crash/trace.hpp"
#include "log/crash/values.hpp"
#include "modules/list.hpp"
#include "support/map_builder.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace trikal;  // NOLINT: this file is the program
using namespace trikal::log::crash;  // NOLINT

void must(bool holds) {
  if (!holds) __builtin_trap();
}

// All that a map may have, with a table of the values of one counter.
trikal::testing::MapBuilder map_with_values() {
  trikal::testing::MapBuilder map = trikal::testing::map_of_everything();
  std::vector<std::byte> table(values_bytes(1));
  auto* head = new (table.data()) ValuesHead;
  head->id = 11, head->module = all_modules().front()->schema->id, head->words = 1, head->size = 3;
  map.add_one(ChunkKind::kValues, head->module, table);
  return map;
}

// Whatever a table says, reading it stays within the map.
void check_values(const MapView& map) {
  MapValues::Rows rows{};
  for (const ModuleFormat* module : all_modules()) {
    for_each_values(map, *module->schema, [&](const MapValues& values) {
      must(values.words() > 0 && values.words() < kMostRowWords);
      (void)values.id(), (void)values.counter(), (void)values.head();
      (void)values.table(rows);
    });
  }
}

// A directory in memory for the logs, gone with the process.
class Folder {
 public:
  Folder() {
    if (::mkdtemp(name_) == nullptr) std::abort();
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(name_, ignored);
  }
  [[nodiscard]] std::string file() const { return std::string(name_) + "/log"; }

 private:
  char name_[32] = "/dev/shm/trikal-fuzz-XXXXXX";
};

Chunk* chunk_of(MutableBytes map, std::size_t at) { return reinterpret_cast<Chunk*>(map.data() + at); }

// Every offset a chunk may begin at that looks like one.
std::vector<std::size_t> chunks_in(MutableBytes map) {
  std::vector<std::size_t> found;
  for (std::size_t at = kHeaderBytes; at + kChunkHeader <= map.size(); at += kChunkAlign) {
    if (chunk_of(map, at)->mark == kChunkMark) found.push_back(at);
  }
  return found;
}

void mutate_part(MutableBytes map, std::size_t at, std::size_t bytes) {
  bytes = std::min(bytes, map.size() - at);
  if (bytes > 0) (void)LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(map.data() + at), bytes, bytes);
}

// What no map gets past the wrapper without; the size of chunks half of the time, so that lies about it are tried, too.
void mend(MutableBytes map, std::minstd_rand& random) {
  auto* header = reinterpret_cast<Header*>(map.data());
  header->magic = kMagic, header->layout = kLayout, header->header_bytes = kHeaderBytes;
  if (random() % 4 != 0) header->used = map.size();
  if (random() % 2 == 0) return;
  for (const std::size_t at : chunks_in(map)) {
    Chunk* chunk = chunk_of(map, at);
    chunk->bytes = static_cast<std::uint32_t>(chunk_bytes(chunk->stride, chunk->capacity));
  }
}

std::size_t make_map(std::uint8_t* data, std::size_t max_size) {
  const trikal::testing::MapBuilder map = map_with_values();
  if (map.bytes().size() > max_size) return LLVMFuzzerMutate(data, 0, max_size);
  std::memcpy(data, map.bytes().data(), map.bytes().size());
  return map.bytes().size();
}

// Of modules whose records are in the log one for one, or one for several where two maps are of one process or rank.
struct Records {
  std::uint64_t count = 0;
  std::set<std::uint64_t> ids;
};

using AllRecords = std::array<Records, kModuleSlots>;

void add_records(const MapView& map, AllRecords& found) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    const ModuleFormat* module =
        chunk.module < kModuleSlots ? find_module(static_cast<ModuleId>(chunk.module)) : nullptr;
    if (!log::crash::holds_records(chunk) || module == nullptr || module->schema->live != nullptr) return;
    const bool brief = chunk.kind == ChunkKind::kBriefs;
    const std::uint32_t bytes = brief ? module->schema->brief_bytes : module->schema->head_bytes;
    if (module->schema->shape != Shape::kFixed || chunk.record_bytes != bytes) return;
    for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
      if (brief && log::crash::has_moved(slots.data() + at)) continue;
      found[chunk.module].count += 1;
      found[chunk.module].ids.insert(load<std::uint64_t>(slots.data() + at));
    }
  });
}

// Whatever a trace says, what is made of it has each access once, and none twice.
void check_trace(const MapView& map) {
  const TracedFiles files(map);
  std::uint64_t events = 0, found = 0, accesses = 0;
  for_each_event(map, [&](const TraceEvent& event) { events += event.traced < files.all().size() ? 1U : 0U; });
  for (const TracedFile& file : files.all()) {
    found += file.found;
    must(file.writes + file.reads <= file.found && file.kept(true) == file.found);
    accesses += file.writes + file.reads;
  }
  must(events == found);
  for (const ModuleFormat* module : all_modules()) {
    const TraceForm* form = trace_form_of(*module->schema);
    if (form == nullptr) continue;
    const TraceSegments segments(map, *form, 1.5);
    for (const TracedFile& file : segments.files()) {
      if (file.interface != form->interface) continue;
      must(segments.of(file).size() == file.writes + file.reads && file.writes + file.reads <= accesses);
      const auto is_before = [](const auto& a, const auto& b) { return a.start < b.start; };
      must(std::is_sorted(segments.of(file).begin(), segments.of(file).begin() + static_cast<long>(file.writes),
                          is_before));
    }
  }
}

void check_log(const std::string& path, const std::vector<gather::MapFile>& maps) {
  auto source = log::open_file(path);
  must(source.ok());
  const fuzz::Consumed log = fuzz::consume(std::move(*source), {}, {.choice = fuzz::Tools::kNone});
  must(log.clean());
  AllRecords records;
  for (const gather::MapFile& map : maps) add_records(map.view(), records);
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    const ModuleFormat* module = find_module(static_cast<ModuleId>(i));
    if (module == nullptr || module->schema->live != nullptr || trace_form_of(*module->schema) != nullptr) continue;
    must(log.records[i] <= records[i].count);
    must(log.records[i] >= (maps.size() == 1 ? records[i].count : records[i].ids.size()));
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  std::minstd_rand random(seed);
  if (size < kHeaderBytes) return make_map(data, max_size);
  const auto way = random() % 4;
  if (way == 0) size = LLVMFuzzerMutate(data, size, max_size);
  const MutableBytes map = std::as_writable_bytes(std::span(data, size));
  if (size < kHeaderBytes) return size;
  if (way == 1) mutate_part(map, 0, offsetof(Header, text) + 64);
  if (const auto chunks = chunks_in(map); way >= 2 && !chunks.empty()) {
    const std::size_t at = chunks[random() % chunks.size()];
    if (way == 2) mutate_part(map, at, sizeof(Chunk));
    else mutate_part(map, at + kChunkHeader, chunk_of(map, at)->bytes);
  }
  if (random() % 8 != 0) mend(map, random);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const Bytes input = std::as_bytes(std::span(data, size));
  auto map = gather::MapFile::from_memory("map", {input.begin(), input.end()});
  if (!map) {
    must(map.error().what[0] != '\0' && map.error().offset <= size);
    return 0;
  }
  const Status damage = map->view().damage();
  check_values(map->view());
  check_trace(map->view());
  if (!damage.ok()) must(damage.error().what[0] != '\0' && damage.error().offset <= size);
  std::vector<gather::MapFile> maps;
  maps.push_back(std::move(*map));
  if (size % 128 >= 64) {
    const trikal::testing::MapBuilder sound = map_with_values();
    maps.push_back(*gather::MapFile::from_memory("sound", {sound.bytes().begin(), sound.bytes().end()}));
  }
  const auto written =
      gather::write_job_logs(maps, {.path = folder.file(), .arguments = {}, .taken = gather::Taken::kReplace});
  must(written.ok());
  check_log(folder.file(), maps);
  return 0;
}
