#pragma once
// What the wrappers of streams have in common.

#include <stdio.h>

#include "capture/interpose/interposed.hpp"
#include "modules/stdio/capture.hpp"

namespace trikal::modules::stdio {

using Noted = void (*)(Stream&, capture::Span, std::int64_t) noexcept;

template <class Wrapper, Noted note, class BytesOf, class... A>
TRIKAL_INTO_WRAPPER auto observed_on(Stream* found, BytesOf bytes_of, A... args) noexcept {
  return Wrapper::call_running(
      [found, bytes_of](capture::Span when, auto result, A...) noexcept {
        const std::int64_t bytes = bytes_of(result);
        if (bytes >= 0) note(*found, when, bytes);
        else not_moved(*found);
      },
      args...);
}

// The standard streams are met here first, and those on high numbers always. Apart from `observed`, which then has nothing to save on its way.
// `from`: who called the wrapper, which cannot be asked for in here.
template <class Wrapper, Noted note, class BytesOf, class... A>
[[gnu::noinline, gnu::cold]] auto observed_first(const void* from, FILE* stream, BytesOf bytes_of, A... args) noexcept {
  Stream* found = streams.find_high(stream);
  if (found == nullptr && (stream == stdout || stream == stdin || stream == stderr) && !capture::is_inside() &&
      capture::session.running()) {
    const capture::Inside inside;
    found = standard_stream(stream);
  }
  if (found == nullptr) return Wrapper::real()(args...);
  const auto bytes_and_caller = [from, bytes_of](auto result) {
    if (capture::keeps_callers) capture::caller = from;
    return bytes_of(result);
  };
  return observed_on<Wrapper, note>(found, bytes_and_caller, args...);
}

// `bytes_of(result)` is what was moved; nothing is noted where it is negative.
template <class Wrapper, Noted note, class BytesOf, class... A>
TRIKAL_INTO_WRAPPER auto observed(FILE* stream, BytesOf bytes_of, A... args) noexcept {
  Stream* found = streams.find_direct(stream);
  if (found == nullptr) [[unlikely]]
    return observed_first<Wrapper, note>(__builtin_return_address(0), stream, bytes_of, args...);
  return observed_on<Wrapper, note>(found, bytes_of, args...);
}

// Whether the descriptor under the stream is one of those that are watched; a pipe's is not.
enum class Under : bool { kWatched, kPipe };

// The stream is forgotten before the real call: another thread may get the same FILE right after it.
template <class Wrapper, Under under>
TRIKAL_INTO_WRAPPER int close_stream(FILE* stream) noexcept {
  Stream* found = streams.find(stream);
  if (found == nullptr) return Wrapper::real()(stream);
  if (capture::is_inside()) {
    found->stream.store(nullptr, std::memory_order_release);  // its FILE will be gone
    return capture::session.missed(), Wrapper::real()(stream);
  }
  StdioFile* record = nullptr;
  capture::Closed descriptor;
  {
    const capture::Inside inside;
    settle(*found);
    record = record_of(*found);
    streams.forget(*found);
    if constexpr (under == Under::kWatched) descriptor = capture::session.descriptors.begin_close(stream->_fileno);
  }
  return Wrapper::call_running(
      [record, descriptor](capture::Span when, int, FILE*) noexcept {
        capture::session.descriptors.end_close(descriptor);
        if (record != nullptr) closed(*record, when);
      },
      stream);
}

inline constexpr std::int64_t kNothing = -1;

}  // namespace trikal::modules::stdio
