// What happens to a trace when its memory ends.

#include <algorithm>
#include <new>

#include "capture/records/trace.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::TraceReader;

constexpr std::size_t kMostOfChunk = Trace::kChunkBytes / log::crash::kLeastEventBytes;

// How often a file's events are to be halved until there are no more than so many.
unsigned halvings(std::uint64_t events, std::uint64_t most) noexcept {
  unsigned halved = 0;
  while ((events >> halved) > most) ++halved;
  return halved;
}

}  // namespace

struct Trace::Thinning {
  void* reader;  // memory for one: a stack may be too small
  std::uint64_t* events;  // of each file: in the chunks
  std::uint32_t* seen;  // of those, in the stream that is being thinned
  std::uint8_t* halved;  // how often
  Coded* chunk;  // the events of one
  std::uint32_t files = 0;

  [[nodiscard]] TraceReader& read(const Chunk* from) noexcept {
    const auto* slots = reinterpret_cast<const std::byte*>(from) + log::crash::kChunkHeader;
    return *new (reader) TraceReader({slots, from->count.load(std::memory_order_relaxed)});
  }
  [[nodiscard]] bool keeps(const Coded& event) noexcept {
    if (event.traced >= files) return false;
    const std::uint32_t number = seen[event.traced]++;
    return (number & ((std::uint32_t{1} << halved[event.traced]) - 1)) == 0;
  }
};

// Behind what is read: what is kept takes no more space than what there was. Should it once, the event is lost.
struct Trace::Cursor {
  Stream& stream;
  Chunk** chunks;
  std::uint32_t index = 0;

  void begin() const noexcept { write_to(stream, chunks[index]); }
  void end_chunk() const noexcept {
    stream.chunk->count.store(static_cast<std::uint32_t>(stream.at - slots_of(stream.chunk)),
                              std::memory_order_release);
  }
  bool put(const Coded& event, std::uint32_t reading) noexcept {
    if (static_cast<std::size_t>(stream.end - stream.at) < log::crash::kMostEventBytes) {
      if (index == reading) return false;
      end_chunk();
      ++index;
      begin();
    }
    stream.at += log::crash::put_event(stream.at, stream.state, event);
    return true;
  }
};

// True: there may be memory now.
bool Trace::thin(std::uint32_t known_state) noexcept {
  if (const std::uint32_t left = backoff_.load(std::memory_order_relaxed); left > 0)
    return backoff_.store(left - 1, std::memory_order_relaxed), false;
  const Locked locked(thin_lock_);
  if (!locked) return false;
  if (thinned_.load(std::memory_order_relaxed) != known_state) return true;
  std::uint32_t held = 0;
  while (held < kStreams && streams_[held].lock.lock()) ++held;
  const bool freed = held == kStreams && thin_all();
  while (held > 0) streams_[--held].lock.unlock();
  thinned_.fetch_add(1, std::memory_order_relaxed);
  if (!freed) backoff_.store(kLostBetweenTries, std::memory_order_relaxed);
  return freed;
}

bool Trace::thin_all() noexcept {
  const std::size_t files = kMostFiles, bytes = files * (sizeof(std::uint64_t) + sizeof(std::uint32_t) + 1);
  const Scratch scratch(kMostOfChunk * sizeof(Coded) + bytes + sizeof(TraceReader));
  auto* memory = scratch.as<std::byte>();
  if (memory == nullptr) return false;
  Thinning thinning{};
  thinning.chunk = reinterpret_cast<Coded*>(memory);
  thinning.events = reinterpret_cast<std::uint64_t*>(memory + kMostOfChunk * sizeof(Coded));
  thinning.seen = reinterpret_cast<std::uint32_t*>(thinning.events + files);
  thinning.halved = reinterpret_cast<std::uint8_t*>(thinning.seen + files);
  thinning.reader = memory + kMostOfChunk * sizeof(Coded) + bytes;
  static_assert(kMostFiles % alignof(TraceReader) == 0);
  thinning.files = numbers_;
  if (!choose(thinning)) return false;
  for (Stream& stream : streams_) {
    if (stream.owner == owner_ && stream.chunks > 0) rewrite(stream, thinning);
  }
  return free_count_ > 0;
}

// Whose events are halved how often: the fewest files, those with the most events.
bool Trace::choose(Thinning& thinning) noexcept {
  std::uint64_t total = 0, most = 0;
  for (const Stream& stream : streams_) {
    for (std::uint32_t i = 0; stream.owner == owner_ && i < stream.chunks; ++i) {
      TraceReader& reader = thinning.read(chunks_of(stream)[i]);
      for (Coded event; reader.next(event);)
        if (event.traced < thinning.files) most = std::max(most, ++thinning.events[event.traced]), ++total;
    }
  }
  const auto kept_at = [&](std::uint64_t limit) {
    std::uint64_t kept = 0;
    for (std::uint32_t file = 0; file < thinning.files; ++file)
      kept += thinning.events[file] >> halvings(thinning.events[file], limit);
    return kept;
  };
  std::uint64_t low = 1, high = most;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (kept_at(middle) <= total / 2) low = middle;
    else high = middle - 1;
  }
  bool any = false;
  for (std::uint32_t file = 0; file < thinning.files; ++file) {
    const unsigned halved = halvings(thinning.events[file], low);
    const std::uint32_t one_of = slots_[file]->one_of.load(std::memory_order_relaxed);
    if (halved == 0 || one_of >= (std::uint32_t{1} << 30)) continue;
    thinning.halved[file] = static_cast<std::uint8_t>(halved);
    slots_[file]->one_of.store(one_of << halved, std::memory_order_relaxed);
    any = true;
  }
  return any;
}

// Each chunk is read as a whole before any of it is written over. A process that is killed meanwhile has lost what was in that
// one, and its events are missing from the count of those that are there.
void Trace::rewrite(Stream& stream, Thinning& thinning) noexcept {
  std::fill_n(thinning.seen, thinning.files, 0);
  Cursor cursor{stream, chunks_of(stream)};
  cursor.begin();
  for (std::uint32_t reading = 0; reading < stream.chunks; ++reading) {
    Chunk* chunk = cursor.chunks[reading];
    std::size_t events = 0;
    TraceReader& reader = thinning.read(chunk);
    while (events < kMostOfChunk && reader.next(thinning.chunk[events])) ++events;
    chunk->count.store(0, std::memory_order_release);
    for (std::size_t i = 0; i < events; ++i) {
      const Coded& event = thinning.chunk[i];
      const bool kept = thinning.keeps(event) && cursor.put(event, reading);
      if (!kept && event.traced < thinning.files) slots_[event.traced]->lost.fetch_add(1, std::memory_order_relaxed);
    }
  }
  cursor.end_chunk();
  stream.last = cursor.index;
  give_back(stream);
}

void Trace::give_back(Stream& stream) noexcept {
  const Locked locked(memory_lock_);
  if (!locked) return;
  while (stream.chunks > stream.last + 1 && free_count_ < most_chunks_)
    free_[free_count_++] = chunks_of(stream)[--stream.chunks];
}

}  // namespace trikal::capture
