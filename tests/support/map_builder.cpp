#include "support/map_builder.hpp"

#include <cstring>
#include <new>

#include "log/crash/call_sites.hpp"
#include "modules/heatmap/live.hpp"
#include "modules/list.hpp"
#include "schema/live_order.hpp"

namespace trikal::testing {

using log::crash::Chunk;
using log::crash::ChunkKind;

MapBuilder::MapBuilder() : words_(log::crash::kHeaderBytes / 8) {
  auto* header = new (at(0)) log::crash::Header;
  header->magic = log::crash::kMagic;
  header->layout = log::crash::kLayout;
  header->header_bytes = log::crash::kHeaderBytes;
  header->used = log::crash::kHeaderBytes;
  header->state = log::crash::State::kEnded;
  header->identity.pid = 77;
  header->job = {.uid = 1000, .parent_pid = 1, .job_id = 77, .rank = -1, .start_sec = 1000, .end_sec = 1002};
}

std::size_t MapBuilder::add_chunk(const Shape& shape) {
  const std::size_t where = 8 * words_.size();
  const std::uint64_t bytes = log::crash::chunk_bytes(shape.stride, shape.slots);
  words_.resize(words_.size() + bytes / 8);
  new (at(where)) Chunk{shape.kind,
                        shape.module,
                        shape.stride,
                        shape.record_bytes,
                        shape.slots,
                        {0},
                        static_cast<std::uint32_t>(bytes),
                        log::crash::kChunkMark};
  header().used = 8 * words_.size();
  return where;
}

void MapBuilder::add_slot(std::size_t chunk_at, Bytes slot) {
  Chunk& to = chunk(chunk_at);
  std::memcpy(at(chunk_at + log::crash::kChunkHeader + std::size_t{to.count} * to.stride), slot.data(), slot.size());
  ++to.count;
}

std::size_t MapBuilder::add_one(ChunkKind kind, std::uint32_t module, Bytes slot) {
  const auto bytes = static_cast<std::uint32_t>(slot.size());
  const std::size_t where =
      add_chunk({.kind = kind, .module = module, .stride = bytes, .record_bytes = bytes, .slots = 1});
  add_slot(where, slot);
  return where;
}

void MapBuilder::add_name(std::size_t chunk_at, std::uint64_t id, std::string_view name) {
  Chunk& names = chunk(chunk_at);
  std::byte* to = at(chunk_at + log::crash::kChunkHeader + names.count);
  store(to, id);
  store(to + 8, static_cast<std::uint32_t>(name.size()));
  std::memcpy(to + 12, name.data(), name.size());
  names.count += static_cast<std::uint32_t>((12 + name.size() + 7) / 8 * 8);
}

void MapBuilder::set_text(std::string_view arguments, std::string_view program, std::string_view mounts) {
  log::crash::Header& to = header();
  char* end = to.text;
  const auto put = [&end](std::string_view text) {
    end = std::copy(text.begin(), text.end(), end);
    return static_cast<std::uint32_t>(text.size());
  };
  to.arguments_bytes = put(arguments);
  to.program_bytes = put(program);
  to.mounts_bytes = put(mounts);
}

namespace {

// A record whose counters are 1, 2, 3... and whose times lie inside the run.
std::vector<std::byte> sample_record(const ModuleSchema& schema, std::uint32_t bytes, std::uint64_t id) {
  std::vector<std::byte> record(bytes);
  store(record.data(), id);
  std::size_t slot = 0;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, ++slot) {
      std::byte* at = record.data() + schema.counters_at + 8 * live_slot(schema, slot);
      const auto value = static_cast<std::int64_t>(slot + 1);
      if (counter.kind == Kind::kReal) store(at, 0.001 * static_cast<double>(value));
      else store(at, value);
    }
  }
  return record;
}

// Of a record that is brief.
std::vector<std::byte> sample_front(const ModuleSchema& schema, std::uint64_t id) {
  std::vector<std::byte> record = sample_record(schema, schema.head_bytes, id);
  record.resize(schema.brief_bytes);
  return record;
}

// A library's call of an operation that only the map names, one of code that was inlined, and one that the table has no slot for.
void add_call_sites(MapBuilder& map) {
  log::crash::OperationSlot operation{.operation = log::crash::kFirstOfModules, .interface_bytes = 4, .word_bytes = 3};
  std::memcpy(operation.interface, "DEMO", 4), std::memcpy(operation.word, "put", 3);
  map.add_one(ChunkKind::kOperations, 0, slot_bytes(operation));
  log::crash::ObjectSlot object{.number = 1, .path_bytes = 8, .build_bytes = 2, .build = {0xab, 0x01}};
  std::memcpy(object.path, "/bin/app", 8);
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(object));
  using Site = log::crash::SiteSlot;
  using Stack = log::crash::StackSlot;
  log::crash::ScriptSlot script{.number = 1, .line = 12, .path_bytes = 6, .function_bytes = 4};
  std::memcpy(script.path, "app.py", 6), std::memcpy(script.function, "main", 4);
  map.add_one(ChunkKind::kScripts, 0, slot_bytes(script));
  Stack stack{.number = 1, .depth = 3};
  stack.frames[0] = {1, 16}, stack.frames[1] = {Stack::kScript | 1, 0}, stack.frames[2] = {9, 1};
  map.add_one(ChunkKind::kStacks, 0, slot_bytes(stack));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(Site{.object = Site::kScript | 1, .id = 12, .stack = 1, .count = 1}));
  const Site by_library{
      .object = 1, .offset = 64, .id = 11, .operation = operation.operation, .count = 2, .seconds = 0.5};
  map.add_one(ChunkKind::kSites, 0, slot_bytes(by_library));
  for (const std::uint64_t object_number : {Site::kUnknown, Site::kTableFull})
    map.add_one(ChunkKind::kSites, 0, slot_bytes(Site{.object = object_number, .id = 12, .count = 1, .bytes = 10}));
}

// Two streams: accesses through several interfaces, by several threads, not in the order of time, of files that were thinned and
// of some that had no slot; a rule leaves some out.
void add_trace(MapBuilder& map) {
  using log::crash::Operation, log::crash::TracedSlot, log::crash::TraceEvent;
  const auto add_file = [&](std::uint64_t id, std::uint32_t interface, std::uint32_t one_of, std::uint64_t lost) {
    TracedSlot file;
    file.id = id, file.interface = interface, file.one_of = one_of, file.events = 4 + lost, file.lost = lost;
    map.add_one(ChunkKind::kTraced, 0, slot_bytes(file));
  };
  add_file(11, log::crash::kTracePosix, 1, 0);
  add_file(12, log::crash::kTraceMpiio, 4, 12);
  add_file(12, log::crash::kTraceStdio, 1, 0);
  add_file(13, log::crash::kTraceHdf5, 1, 0);
  add_file(0, log::crash::kTracePosix, 0, 7);
  const auto number = [](Operation operation) { return static_cast<std::uint32_t>(operation); };
  const std::uint32_t own = log::crash::kFirstOfModules;
  const std::uint64_t ms = 1000000;
  const TraceEvent first[] = {{ms, 500, -1, 0, 0, number(Operation::kOpen), 0},
                              {2 * ms, 900, 0, 4096, 0, number(Operation::kWrite), 0},
                              {3 * ms, 900, 4096, 4096, 0, number(Operation::kWrite), 0},
                              {4 * ms, 100, 100, 7, 0, number(Operation::kRead), 16},
                              {4 * ms, 900, 1 << 20, 65536, 1, number(Operation::kMpiCollectiveWrite), 0},
                              {5 * ms, 900, -1, 65536, 1, number(Operation::kMpiRead), 0}};
  const TraceEvent second[] = {{6 * ms, 20, 0, 100, 2, number(Operation::kStreamRead), 1},
                               {9 * ms, 20, 0, 50, 0, number(Operation::kRead), 17},
                               {8 * ms, 20, 10, 5, 0, number(Operation::kRead), 1},
                               {9 * ms, 7, -1, 8, 3, number(Operation::kHdf5Write), 1},
                               {9 * ms, 7, -1, 8, 3, own, 1},
                               {9 * ms, 7, -1, 8, 99, number(Operation::kRead), 1}};
  add_trace_stream(map, 0, first);
  add_trace_stream(map, 1, second);
  map.add_one(ChunkKind::kTraceRules, 0, slot_bytes(log::crash::TraceRules{.small = 0.5, .unaligned = 0.5}));
}

}  // namespace

void add_trace_stream(MapBuilder& map, std::uint32_t stream, std::span<const log::crash::TraceEvent> events) {
  std::vector<std::byte> coded;
  log::crash::TraceState state;
  for (const log::crash::TraceEvent& event : events) {
    std::byte bytes[log::crash::kMostEventBytes];
    coded.insert(coded.end(), bytes, bytes + log::crash::put_event(bytes, state, event));
  }
  const auto slots = static_cast<std::uint32_t>(coded.size());
  const std::size_t where = map.add_chunk({.kind = ChunkKind::kTrace, .module = stream, .slots = slots});
  for (const std::byte& byte : coded) map.add_slot(where, {&byte, 1});
}

MapBuilder map_of_everything() {
  MapBuilder map;
  using namespace std::literals;
  map.set_text("/bin/app\0--level\0it's\0"sv, "/bin/app", "\next4\t/\nnfs\t/home");
  const std::size_t names = map.add_chunk({.kind = ChunkKind::kNames, .slots = 128});
  map.add_name(names, 11, "/data/one"), map.add_name(names, 12, "/data/two");
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    if (schema.live != nullptr) {
      std::vector<std::byte> live(schema.live->bytes);
      store(live.data(), std::uint64_t{11});
      store(live.data() + modules::heatmap::kWidthAt, modules::heatmap::kFirstWidth);
      store(modules::heatmap::bins_of(live.data(), true) + 24, std::int64_t{4096});
      map.add_one(ChunkKind::kRecords, schema.id, live);
    }
    if (schema.runs != nullptr) {
      std::vector<std::byte> run(schema.runs->bytes);
      store(run.data(), RunHead{.id = 11, .count = 3});
      map.add_one(ChunkKind::kRuns, schema.id, run);
    }
    if (schema.extra == nullptr) continue;
    map.add_one(ChunkKind::kRecords, schema.id, sample_record(schema, schema.head_bytes, 11));
    if (schema.brief_bytes > 0) map.add_one(ChunkKind::kBriefs, schema.id, sample_front(schema, 12));
    map.add_one(ChunkKind::kExtras, schema.id, sample_record(*schema.extra, schema.extra->head_bytes, 12));
  }
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(log::crash::ErrorSlot{12, 2, 1, 3}));
  log::crash::UnseenSlot unseen;
  unseen.why = 1, unseen.path_bytes = 8, unseen.count = 2;
  std::memcpy(unseen.path, "/bin/old", 8);
  map.add_one(ChunkKind::kUnseen, 0, slot_bytes(unseen));
  log::crash::PhaseSlot phase{.begin = 0.5, .end = 1.5, .name_bytes = 4};
  std::memcpy(phase.name, "load", 4);
  map.add_one(ChunkKind::kPhases, 0, slot_bytes(phase));
  log::crash::HintSlot hint{.id = 1, .key_bytes = 8, .value_bytes = 1};
  std::memcpy(hint.key, "cb_nodes", 8), hint.value[0] = '4';
  map.add_one(ChunkKind::kHints, 0, slot_bytes(hint));
  add_call_sites(map);
  add_trace(map);
  return map;
}

}  // namespace trikal::testing
