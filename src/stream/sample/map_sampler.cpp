#include "stream/sample/map_sampler.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "log/crash/view.hpp"
#include "stream/sample/guarded_read.hpp"

namespace trikal::stream {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::Header;
using log::crash::kChunkHeader;
using log::crash::PhaseSlot;

constexpr int kMostLooks = 3;  // at numbers that went back
// Where files are many, those that were not used for so many rounds are looked at in rotation, some side by side each time: memory
// is read faster so.
constexpr std::uint32_t kActiveRounds = 8, kRotation = 8, kSideBySide = 64;

// The head of a chunk, without what changes.
struct ChunkHead {
  ChunkKind kind;
  std::uint32_t module, stride, record_bytes, capacity, count, bytes, mark;
};
static_assert(sizeof(ChunkHead) == sizeof(Chunk) && offsetof(Chunk, count) == offsetof(ChunkHead, count));

bool is_sound(const ChunkHead& chunk) {
  return chunk.mark == log::crash::kChunkMark && chunk.bytes == log::crash::chunk_bytes(chunk.stride, chunk.capacity) &&
         chunk.record_bytes <= chunk.stride && chunk.count <= chunk.capacity;
}

const SampledModule* module_of(std::uint32_t id) {
  const auto modules = sampled_modules(SampledModule::Order::kLive);
  const auto found = std::ranges::find(modules, id, [](const SampledModule& m) { return m.schema().id; });
  return found == modules.end() ? nullptr : &*found;
}

// One number for what the words say that change with every call.
std::uint64_t marks_of(const std::byte* slot, std::span<const std::uint16_t> marks) {
  std::uint64_t all = 0;
  for (const std::uint16_t word : marks)
    all = (all ^ load<std::uint64_t>(slot + 8 * std::size_t{word})) * 0x9e3779b97f4a7c15ULL, all ^= all >> 32;
  return all;
}

// Which of the known slots of a chunk have changed. Of idle ones, which are nearly all, as little memory is read as tells.
// Guarded: it owns nothing.
struct Comparison {
  const std::byte* slots;
  std::size_t stride, count, width;
  const std::uint16_t* words;
  const std::uint64_t* last;
  std::span<const std::uint16_t> marks;
  const std::uint64_t* seen;
  const std::uint32_t* active;
  std::uint32_t round;
  bool all;
  std::uint32_t* changed;
  std::size_t found;
};

bool differs(const Comparison& what, const std::byte* slot, const std::uint64_t* last) {
  std::uint64_t differs = 0;
  for (std::size_t w = 0; w < what.width; ++w)
    differs |= load<std::uint64_t>(slot + 8 * std::size_t{what.words[w]}) ^ last[w];
  return differs != 0;
}

void compare(void* context) {
  auto& what = *static_cast<Comparison*>(context);
  for (std::size_t i = 0; i < what.count; ++i) {
    const bool is_idle = !what.all && what.active[i] < what.round;
    if (is_idle && what.count > kSideBySide && i / kSideBySide % kRotation != what.round % kRotation) continue;
    const std::byte* slot = what.slots + i * what.stride;
    if (is_idle ? marks_of(slot, what.marks) != what.seen[i] : differs(what, slot, what.last + i * what.width))
      what.changed[what.found++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace

Result<MapSampler> MapSampler::open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  std::uint64_t magic = 0;
  std::uint32_t layout[2] = {};
  if (!file->copy(magic, 0) || magic == 0) return Error{.code = ErrorCode::kTruncated, .what = "the map has not begun"};
  if (magic != log::crash::kMagic) return Error{.code = ErrorCode::kDamaged, .offset = 0, .what = "not a crash map"};
  if (!file->copy(layout, 8) || layout[0] != log::crash::kLayout || layout[1] != log::crash::kHeaderBytes)
    return Error{.code = ErrorCode::kUnsupported, .offset = 8, .what = "a crash map of another version of trikal"};
  MapSampler sampler(std::move(*file));
  if (!sampler.read_front()) return Error{.code = ErrorCode::kTruncated, .what = "the map was cut off"};
  return sampler;
}

std::vector<std::byte> MapSampler::header() const {
  std::vector<std::byte> bytes(log::crash::kHeaderBytes);
  return file_.copy(bytes.data(), 0, bytes.size()) ? bytes : std::vector<std::byte>(log::crash::kHeaderBytes);
}

bool MapSampler::read_front() {
  std::uint64_t used = 0;
  const bool read = file_.copy(state_, offsetof(Header, state)) && file_.copy(identity_, offsetof(Header, identity)) &&
                    file_.copy(job_, offsetof(Header, job)) && file_.copy(used, offsetof(Header, used));
  std::atomic_thread_fence(std::memory_order_acquire);
  used_ = static_cast<std::size_t>(std::min<std::uint64_t>(used, file_.size()));
  complete_ = read && used <= file_.size();
  return read;
}

// Chunks are only ever added. Behind one that makes no sense nothing is looked for: the log's reader does that in the end.
void MapSampler::find_chunks() {
  while (next_chunk_ < used_) {
    ChunkHead head;  // NOLINT: filled right below
    if (!file_.copy(head, next_chunk_) || !is_sound(head) || head.bytes > used_ - next_chunk_) {
      complete_ = false;
      return;
    }
    Chunk chunk{head.kind,     head.module, head.stride, head.record_bytes,
                head.capacity, head.count,  head.bytes,  head.mark};
    take_chunk(chunk);
    next_chunk_ += head.bytes;
  }
}

void MapSampler::take_chunk(const Chunk& chunk) {
  if (chunk.kind == ChunkKind::kNames) names_.push_back({.at = next_chunk_, .capacity = chunk.capacity});
  if (chunk.kind == ChunkKind::kPhases && chunk.stride == sizeof(PhaseSlot)) {
    const std::uint64_t first = phases_.empty() ? 0 : phases_.back().first + phases_.back().capacity;
    phases_.push_back({.at = next_chunk_, .capacity = chunk.capacity, .read = 0, .first = first});
  }
  const SampledModule* module = module_of(chunk.module);
  if (module == nullptr) return;
  const ModuleSchema& schema = module->schema();
  if (chunk.kind == ChunkKind::kRuns && schema.runs != nullptr && chunk.record_bytes == schema.runs->bytes)
    runs_.push_back({module, next_chunk_, chunk.stride, std::min(chunk.capacity, log::crash::kMostRuns), {}});
  if (!log::crash::holds_records(chunk)) return;
  const bool brief = chunk.kind == ChunkKind::kBriefs;
  if (chunk.record_bytes != (brief ? schema.brief_bytes : schema.head_bytes)) return;
  RecordChunk& added = records_.emplace_back();
  added.module = module, added.slot = brief ? FileSums::Slot::kBrief : FileSums::Slot::kWhole;
  added.at = next_chunk_, added.stride = chunk.stride, added.capacity = chunk.capacity;
  added.width = module->words_within(chunk.record_bytes), added.marks = module->marks_within(chunk.record_bytes);
}

std::uint32_t MapSampler::count_of(std::size_t chunk, std::uint32_t capacity) const {
  std::uint32_t count = 0;
  if (!file_.copy(count, chunk + offsetof(Chunk, count))) return 0;
  std::atomic_thread_fence(std::memory_order_acquire);
  return std::min(count, capacity);
}

void MapSampler::sample(const Listener& listener, Depth depth) {
  ++round_;
  depth_ = depth;
  for (int looks = 0; looks < kMostLooks && (looks == 0 || sums_.has_gone_back()); ++looks) look(listener.name);
  if (listener.phase) {
    for (PhaseChunk& chunk : phases_) read_phases(chunk, listener.phase);
  }
  kept_ += sums_.tell(listener.more);
}

void MapSampler::look(const TellName& tell_name) {
  if (!read_front()) return;
  find_chunks();
  for (NameChunk& chunk : names_) read_names(chunk, tell_name);
  touched_.clear();
  for (std::uint32_t i = 0; i < records_.size(); ++i) scan(i);
  for (RunChunk& chunk : runs_) read_runs(chunk);
}

void MapSampler::read_names(NameChunk& chunk, const TellName& tell_name) {
  const std::uint32_t count = count_of(chunk.at, chunk.capacity);
  if (count <= chunk.read) return;
  std::vector<std::byte> bytes(count - chunk.read);
  if (!file_.copy(bytes.data(), chunk.at + kChunkHeader + chunk.read, bytes.size())) return;
  log::crash::for_each_name(bytes, tell_name);
  chunk.read = count;
}

// Each when it is new, and once more when it has ended.
void MapSampler::read_phases(PhaseChunk& chunk, const TellPhase& tell) const {
  const std::uint32_t count = count_of(chunk.at, chunk.capacity);
  std::vector<std::uint32_t> look = std::exchange(chunk.open, {});
  const std::size_t known = look.size();
  for (std::uint32_t slot = chunk.read; slot < count; ++slot) look.push_back(slot);
  chunk.read = std::max(chunk.read, count);
  for (std::size_t i = 0; i < look.size(); ++i) {
    PhaseSlot phase;
    if (!file_.copy(phase, chunk.at + kChunkHeader + sizeof(PhaseSlot) * look[i])) return;
    if (phase.end == 0) chunk.open.push_back(look[i]);
    if (i >= known || phase.end != 0) tell(chunk.first + look[i], phase);
  }
}

void MapSampler::scan(std::uint32_t index) {
  RecordChunk& chunk = records_[index];
  const std::uint32_t count = count_of(chunk.at, chunk.capacity);
  const std::size_t known = chunk.files.size();
  changed_.resize(std::max(changed_.size(), known));
  if (chunk.at + kChunkHeader + std::size_t{chunk.stride} * known <= file_.size()) {
    Comparison what{.slots = file_.data() + chunk.at + kChunkHeader,
                    .stride = chunk.stride,
                    .count = known,
                    .width = chunk.width,
                    .words = chunk.module->words().data(),
                    .last = chunk.words.data(),
                    .marks = chunk.module->marks().first(chunk.marks),
                    .seen = chunk.seen.data(),
                    .active = chunk.active.data(),
                    .round = round_,
                    .all = depth_ == Depth::kAll,
                    .changed = changed_.data(),
                    .found = 0};
    if (!guarded(compare, &what)) complete_ = false;
    for (std::size_t i = 0; i < what.found; ++i) take_slot(index, changed_[i]);
  }
  if (count > known) add_slots(chunk, index, count);
}

void MapSampler::add_slots(RecordChunk& chunk, std::uint32_t index, std::uint32_t count) {
  const auto known = static_cast<std::uint32_t>(chunk.files.size());
  const std::byte nothing{};
  std::byte last = nothing;  // so that no memory is taken for slots that are not there
  if (!file_.copy(last, chunk.at + kChunkHeader + std::size_t{chunk.stride} * count - 1)) {
    complete_ = false;
    return;
  }
  chunk.words.resize(count * chunk.width);
  chunk.amounts.resize(count);
  chunk.seen.resize(count);
  chunk.active.resize(count);
  for (std::uint32_t slot = known; slot < count; ++slot) {
    std::uint64_t id = 0;
    if (!file_.copy(id, chunk.at + kChunkHeader + std::size_t{chunk.stride} * slot)) complete_ = false;
    chunk.files.push_back(0);
    name_slot(index, slot, id);
    take_slot(index, slot);
    if (round_ == 1) chunk.active[slot] = 0;  // what was there before we came may have been idle for long
  }
}

// The slot is this file's from now on.
void MapSampler::name_slot(std::uint32_t index, std::uint32_t slot, std::uint64_t id) {
  RecordChunk& chunk = records_[index];
  const FileSums::Index file = sums_.of(id, chunk.module->schema().id);
  chunk.files[slot] = file;
  sums_.add_slot(file, chunk.slot);
  if (chunk.module->schema().runs != nullptr && chunk.slot == FileSums::Slot::kWhole)
    locations_.try_emplace(file, Location{index, slot});
}

void MapSampler::take_slot(std::uint32_t index, std::uint32_t slot) {
  RecordChunk& chunk = records_[index];
  const std::span<std::uint64_t> words(chunk.words.data() + slot * chunk.width, chunk.width);
  chunk.active[slot] = round_ + kActiveRounds;
  alignas(64) std::byte record[log::crash::kLargestRecord];  // NOLINT: filled right below
  const std::size_t at = chunk.at + kChunkHeader + std::size_t{chunk.stride} * slot;
  const std::size_t bytes = words.empty() ? 0 : 8 * (std::size_t{chunk.module->words()[words.size() - 1]} + 1);
  if (!file_.copy(record, at, bytes)) {
    complete_ = false;
    return;
  }
  for (std::size_t w = 0; w < words.size(); ++w)
    words[w] = load<std::uint64_t>(record + 8 * std::size_t{chunk.module->words()[w]});
  chunk.seen[slot] = marks_of(record, chunk.module->marks().first(chunk.marks));
  if (words[0] != sums_.id_of(chunk.files[slot])) {
    set_amounts({index, slot}, {});
    sums_.remove_slot(chunk.files[slot], chunk.slot);
    name_slot(index, slot, words[0]);
  }
  const bool moved = chunk.slot == FileSums::Slot::kBrief && static_cast<std::int64_t>(words[1]) == log::crash::kMoved;
  set_amounts({index, slot}, moved ? FileAmounts{} : chunk.module->amounts(words));
  if (!runs_.empty()) touched_.push_back(chunk.files[slot]);
}

void MapSampler::set_amounts(Location location, const FileAmounts& now) {
  RecordChunk& chunk = records_[location.chunk];
  sums_.change(chunk.files[location.slot], chunk.slot, chunk.amounts[location.slot], now);
  chunk.amounts[location.slot] = now;
}

// A run tells what its record lacks, so the record is looked at again when either has changed.
void MapSampler::read_runs(RunChunk& chunk) {
  std::vector<std::byte> now(std::size_t{chunk.stride} * count_of(chunk.at, chunk.capacity));
  if (!file_.copy(now.data(), chunk.at + kChunkHeader, now.size())) {
    complete_ = false;
    return;
  }
  chunk.slots.resize(now.size());
  std::vector<std::uint64_t> files;
  for (std::size_t at = 0; at < now.size(); at += chunk.stride) {
    const auto id = load<std::uint64_t>(now.data() + at);
    const bool same = std::memcmp(now.data() + at, chunk.slots.data() + at, chunk.stride) == 0;
    const auto touched = [&] {
      return std::ranges::find(touched_, sums_.of(id, chunk.module->schema().id)) != touched_.end();
    };
    if (id != 0 && (!same || touched())) files.push_back(id);
  }
  chunk.slots = std::move(now);
  for (const std::uint64_t file : files) settle(chunk, file);
}

// Twice, and the less of both: a run that ends and begins again in the middle of being read may count double, and does
// hardly do so twice in a row.
void MapSampler::settle(const RunChunk& runs, std::uint64_t file) {
  const auto location = locations_.find(sums_.of(file, runs.module->schema().id));
  FileAmounts first, second;  // NOLINT: filled right below
  if (location == locations_.end() || !settled_amounts(runs, file, location->second, first) ||
      !settled_amounts(runs, file, location->second, second))
    return;
  lower(first, second);
  set_amounts(location->second, first);
}

bool MapSampler::settled_amounts(const RunChunk& runs, std::uint64_t file, Location location,
                                 FileAmounts& amounts) const {
  const RecordChunk& chunk = records_[location.chunk];
  alignas(64) std::byte record[log::crash::kLargestRecord],
      run[log::crash::kLargestRecord];  // NOLINT: filled right below
  const ModuleSchema& schema = runs.module->schema();
  if (runs.stride > sizeof run ||
      !file_.copy(record, chunk.at + kChunkHeader + std::size_t{chunk.stride} * location.slot, schema.head_bytes))
    return false;
  for (std::size_t at = 0; at < runs.slots.size(); at += runs.stride) {
    if (load<std::uint64_t>(runs.slots.data() + at) != file) continue;
    if (!file_.copy(run, runs.at + kChunkHeader + at, runs.stride)) return false;
    if (load<std::uint64_t>(run) == file) schema.runs->settle(record, run);
  }
  amounts = runs.module->amounts_of_record(record);
  return true;
}

}  // namespace trikal::stream
