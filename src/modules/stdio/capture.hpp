#pragma once
// What each call on a stream means for the counters.

#include <stdio.h>

#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/number_table.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::stdio {

using capture::Span;

// On cache lines of its own, as the streams are: threads use different ones.
struct alignas(64) StdioFile {
  Record<kSchema> record;
  capture::Spin lock;
  double meta_end = 0;
};

// A stream, found by the descriptor under it: one load, no hashing. A thread may close it while another is at the end of a
// call on it: what belongs to the FILE is looked at only while it is here, the rest stays until the number is used again.
struct alignas(64) Stream {
  std::atomic<FILE*> stream{nullptr};  // null: no stream of ours
  StdioFile* file = nullptr;
  const capture::File* name = nullptr;
  std::int64_t offset = 0;
  // Calls that stay in the stream's buffer are timed one in `stride` (buffered.hpp). By direction: [0] writing, [1] reading.
  std::atomic<std::uint32_t> left[2] = {};  // that are only counted, until one is timed again
  std::atomic<std::uint32_t> known[2] = {};  // what `left` was when the rest had been accounted for
  std::uint32_t stride = 1;
  double usual = 0;  // seconds that the last one took that stayed in the buffer and was timed
  bool writes = false;  // opened for writing
  // getc_unlocked and putc_unlocked work on the stream's buffer without a call until it is used up. From here on
  // they may have: what the buffer moved by since and no call accounts for, they did.
  enum class Mark : std::uint8_t { kNone, kRead, kWrite };
  std::atomic<Mark> mark{
      Mark::kNone};  // set behind the three below: at the end of a process another thread looks at them
  const char* mark_at = nullptr;
  const char* mark_buffer = nullptr;  // tells whether it is still the same buffer
  std::int64_t mark_offset = 0;

  [[nodiscard]] std::uint32_t untimed(bool read) const noexcept {
    return known[read].load(std::memory_order_relaxed) - left[read].load(std::memory_order_relaxed);
  }
  // From here on so many may be only counted.
  void grant(bool read, std::uint32_t calls) noexcept {
    known[read].store(calls, std::memory_order_relaxed);
    left[read].store(calls, std::memory_order_relaxed);
  }
  void time_next() noexcept { grant(false, 0), grant(true, 0), stride = 1; }
};

class Streams {
 public:
  [[nodiscard]] Stream* find(FILE* stream) noexcept {
    Stream* found = find_direct(stream);
    return found != nullptr ? found : find_high(stream);
  }
  // On one of the numbers that programs usually have. A call in the middle of things would make every caller save its
  // registers first, so those that count instructions look for the others elsewhere.
  [[nodiscard]] Stream* find_direct(FILE* stream) noexcept {
    if (stream == nullptr) return nullptr;
    const auto number = static_cast<unsigned>(stream->_fileno);
    if (number >= limit_.load(std::memory_order_relaxed)) return nullptr;
    Stream* entry = table_.direct(number);
    return entry->stream.load(std::memory_order_acquire) == stream ? entry : nullptr;
  }
  // On any other.
  [[nodiscard, gnu::noinline, gnu::cold]] Stream* find_high(FILE* stream) noexcept;
  Stream* set(FILE* stream, StdioFile* file, const capture::File* name) noexcept;
  // Before the real close; waits for whoever uses all of them.
  void forget(Stream& stream) noexcept;
  void after_fork() noexcept;
  [[nodiscard]] bool begin() noexcept;
  // Calls use(Stream&) for every stream. None of them is closed meanwhile.
  template <class Use>
  void for_each(const Use& use) noexcept {
    if (used_.load(std::memory_order_relaxed) == 0) return;
    const capture::Locked locked(closing_);
    if (!locked) return;
    const unsigned used = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < used; ++i) {
      Stream* entry = table_.find(i);
      if (entry != nullptr && entry->stream.load(std::memory_order_acquire) != nullptr) use(*entry);
    }
  }

 private:
  capture::Spin closing_;
  using Table = capture::NumberTable<Stream, 1024>;
  std::atomic<unsigned> limit_{0};  // of those that are found at once
  Table table_;
  std::atomic<unsigned> used_{0};  // entries below this may be taken
};
extern constinit Streams streams;

void opened(StdioFile& file, Span when, bool on_descriptor) noexcept;
void closed(StdioFile& file, Span when) noexcept;
void has_read(Stream& stream, Span when, std::int64_t bytes) noexcept;
void has_written(Stream& stream, Span when, std::int64_t bytes) noexcept;
void flushed(Stream& stream, Span when) noexcept;
void sought(Stream& stream, Span when, std::int64_t offset) noexcept;
void pushed_back(Stream& stream, std::int64_t bytes) noexcept;  // they will be read once more
// A call failed, or it came to the end of the file, which is no failure.
void not_moved(Stream& stream) noexcept;
void failed_at(const char* path) noexcept;

// What the program did to the buffer itself since mark_reading or mark_writing is counted, as far as it can be told.
void settle(Stream& stream) noexcept;
void mark_reading(Stream& stream) noexcept;
void mark_writing(Stream& stream) noexcept;
void before_stop() noexcept;

StdioFile* record_of(capture::File* file) noexcept;
// The record of a stream, adopting it first if it was inherited through a fork.
StdioFile* record_of(Stream& stream) noexcept;
// Standard input, output and error, when they are first used.
Stream* standard_stream(FILE* stream) noexcept;
// Whether a name is that of a standard stream which is a pipe, a socket or a terminal: a record of it says so, its name does not.
bool is_standard_pipe(std::string_view name) noexcept;
void after_fork() noexcept;
// What a read takes, without the read.
void rehearse(capture::TickInterval when) noexcept;
inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .before_stop = before_stop,
    .rehearse = rehearse,
    .operations = {log::crash::Operation::kStreamOpen, log::crash::Operation::kFlush},
    .details = capture::details_of<StdioFile, kSchema, capture::kStdioSlot>};

}  // namespace trikal::modules::stdio
