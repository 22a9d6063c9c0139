#pragma once
// What the doors of streams have in common.

#include <stdio.h>

#include "capture/interpose/interposed.hpp"
#include "modules/stdio/capture.hpp"

namespace trikal::modules::stdio {

// The stream, if calls on it are to be noted. The standard ones are met here first.
inline Stream* watched(FILE* stream) noexcept {
  Stream* found = streams.find(stream);
  if (found != nullptr) [[likely]]
    return found;
  if ((stream != stdout && stream != stdin && stream != stderr) || capture::inside_depth != 0 ||
      !capture::session.running())
    return nullptr;
  const capture::Inside inside;
  return standard_stream(stream);
}

using Noted = void (*)(Stream&, capture::Span, std::int64_t) noexcept;

// `bytes_of(result)` is what was moved; nothing is noted where it is negative.
template <class Door, Noted note, class BytesOf, class... A>
auto observed(FILE* stream, const BytesOf& bytes_of, A... args) noexcept {
  Stream* found = watched(stream);
  if (found == nullptr) return Door::real()(args...);
  return Door::call_running(
      [found, &bytes_of](capture::Span when, auto result, A...) noexcept {
        const std::int64_t bytes = bytes_of(result);
        if (bytes >= 0) note(*found, when, bytes);
      },
      args...);
}

inline constexpr std::int64_t kNothing = -1;

}  // namespace trikal::modules::stdio
