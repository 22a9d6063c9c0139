#pragma once
// What each call on a stream means for the counters.

#include <stdio.h>

#include "capture/records/timer.hpp"
#include "capture/session/session.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::stdio {

using capture::Span;

struct StdioFile {
  Record<kSchema> record;
  capture::Spin lock;
  double meta_end = 0;
};

// A stream, found by the descriptor under it: one load, no hashing.
struct Stream {
  FILE* stream = nullptr;  // null: no stream of ours
  StdioFile* file = nullptr;
  const capture::File* name = nullptr;
  std::int64_t offset = 0;
  bool moved = false;  // since the descriptor's position was last asked for
};

class Streams {
 public:
  [[nodiscard]] Stream* find(FILE* stream) noexcept {
    if (stream == nullptr) return nullptr;
    const auto number = static_cast<unsigned>(stream->_fileno);
    if (number >= limit_.load(std::memory_order_relaxed)) return nullptr;
    Stream* entry = &table_[number];
    return entry->stream == stream ? entry : nullptr;
  }
  Stream* set(FILE* stream, StdioFile* file, const capture::File* name) noexcept;
  void after_fork() noexcept;
  [[nodiscard]] bool begin() noexcept;

 private:
  static constexpr unsigned kMost = 1U << 20;
  std::atomic<unsigned> limit_{0};
  Stream* table_ = nullptr;
  std::atomic<unsigned> used_{0};  // entries below this may be taken
};
extern constinit Streams streams;

void opened(StdioFile& file, Span when, bool on_descriptor) noexcept;
void closed(StdioFile& file, Span when) noexcept;
void has_read(Stream& stream, Span when, std::int64_t bytes) noexcept;
void has_written(Stream& stream, Span when, std::int64_t bytes) noexcept;
void flushed(Stream& stream, Span when) noexcept;
void sought(Stream& stream, Span when, std::int64_t offset) noexcept;

StdioFile* record_of(capture::File* file) noexcept;
// The record of a stream, adopting it first if it was inherited through a fork.
StdioFile* record_of(Stream& stream) noexcept;
// Standard input, output and error, when they are first used.
Stream* standard_stream(FILE* stream) noexcept;
void after_fork() noexcept;

}  // namespace trikal::modules::stdio
