#pragma once
// How events of a trace lie in the crash map. Each is a byte of flags, then numbers in as few bytes as they need (varint.hpp):
// what is as in the event before, or where the file's last access left off, is a flag. A chunk begins with nothing known, so it
// can be read without those before it. Both sides keep the same TraceState.

#include <array>

#include "base/bytes.hpp"
#include "log/crash/operation.hpp"
#include "log/trailer/varint.hpp"

namespace trikal::log::crash {

// Whose calls they are. Modules that operation.hpp does not know follow, by their ids.
enum TraceInterface : std::uint32_t { kTracePosix, kTraceStdio, kTraceMpiio, kTraceHdf5, kTraceModules };

[[nodiscard]] constexpr std::uint32_t trace_interface_of(Operation operation) noexcept {
  if (is_of_module(operation))
    return kTraceModules + (static_cast<std::uint32_t>(operation) - kFirstOfModules) / kMostOfModule;
  if (operation < Operation::kStreamOpen) return kTracePosix;
  if (operation < Operation::kMpiOpen) return kTraceStdio;
  return operation < Operation::kHdf5Open ? kTraceMpiio : kTraceHdf5;
}

struct TraceEvent {
  static constexpr std::int64_t kNoOffset = -1;
  std::uint64_t begin = 0, duration = 0;  // nanoseconds, from the session's beginning on
  std::int64_t offset = kNoOffset, length = 0;
  std::uint32_t traced = 0;  // number of its TracedSlot
  std::uint32_t operation = 0;
  std::uint32_t thread = 0;
};

struct TraceState {
  // Of the last event of a file; files whose numbers are alike drive each other out.
  struct Known {
    std::uint32_t traced = 0, operation = 0;
    std::int64_t next = 0, length = 0;
  };
  static constexpr std::size_t kKnown = 64;
  std::uint64_t end = 0;  // of the event before
  std::uint32_t traced = 0, thread = 0;
  std::array<Known, kKnown> known{};

  // On small stacks there is no space for another one.
  void forget() noexcept {
    end = 0, traced = thread = 0;
    known.fill({});
  }
  [[nodiscard]] Known& of(std::uint32_t number) noexcept {
    Known& found = known[number % kKnown];
    if (found.traced != number) found = {.traced = number};
    return found;
  }
  void note(const TraceEvent& event, Known& file) noexcept {
    end = event.begin + event.duration;
    traced = event.traced, thread = event.thread;
    file.operation = event.operation, file.length = event.length;
    if (event.offset != TraceEvent::kNoOffset)
      file.next = static_cast<std::int64_t>(static_cast<std::uint64_t>(event.offset) +
                                            static_cast<std::uint64_t>(event.length));
  }
};

enum TraceFlag : std::uint8_t {
  kSameFile = 1,
  kSameOperation = 2,
  kNextOffset = 4,
  kSameLength = 8,
  kSameThread = 16,
  kWithoutOffset = 32,
};
inline constexpr std::uint8_t kTraceFlags = 63;
inline constexpr std::size_t kMostEventBytes = 1 + 7 * kVarintBytes;
inline constexpr std::size_t kLeastEventBytes = 3;

[[nodiscard]] constexpr std::uint64_t trace_difference(std::int64_t now, std::int64_t before) noexcept {
  return fold_sign(static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(before));
}

// Returns how many bytes were written; `out` has space for kMostEventBytes.
inline std::size_t put_event(std::byte* out, TraceState& state, const TraceEvent& event) noexcept {
  TraceState::Known& file = state.of(event.traced);
  std::byte* at = out + 1;
  unsigned flags = 0;
  if (event.traced == state.traced) flags |= kSameFile;
  else at += put_varint(at, event.traced);
  if (event.operation == file.operation) flags |= kSameOperation;
  else at += put_varint(at, event.operation);
  if (event.offset == TraceEvent::kNoOffset) flags |= kWithoutOffset;
  else if (event.offset == file.next) flags |= kNextOffset;
  else at += put_varint(at, trace_difference(event.offset, file.next));
  if (event.length == file.length) flags |= kSameLength;
  else at += put_varint(at, trace_difference(event.length, file.length));
  if (event.thread == state.thread) flags |= kSameThread;
  else at += put_varint(at, event.thread);
  at += put_varint(at, fold_sign(event.begin - state.end));
  at += put_varint(at, event.duration);
  *out = static_cast<std::byte>(flags);
  state.note(event, file);
  return static_cast<std::size_t>(at - out);
}

// Takes the events of a chunk one by one; its bytes may be anything.
class TraceReader {
 public:
  explicit TraceReader(Bytes chunk) noexcept : at_(chunk.data()), end_(chunk.data() + chunk.size()) {}

  // False: there are no more, or what follows is no event.
  [[nodiscard]] bool next(TraceEvent& event) noexcept;

 private:
  [[nodiscard]] bool byte(std::uint8_t& value) noexcept;
  [[nodiscard]] bool number(std::uint64_t& value) noexcept;
  [[nodiscard]] bool small(std::uint32_t& value) noexcept;
  [[nodiscard]] bool differs(std::int64_t& value) noexcept;

  const std::byte* at_;
  const std::byte* end_;
  TraceState state_;
};

}  // namespace trikal::log::crash
