// The two functions that getc_unlocked and putc_unlocked call once a buffer is used up, where the compiler has put
// the rest of them into the program. What was done to the buffer since the last call is counted then: a lower bound,
// since functions that use the same stream may have renewed the buffer in between.

#include <stdio.h>

#include "modules/stdio/wrappers.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

// The standard streams may be met here first.
Stream* watched(FILE* stream) noexcept {
  Stream* found = streams.find(stream);
  if (found != nullptr || (stream != stdout && stream != stdin && stream != stderr)) return found;
  if (is_inside() || !session.running()) return nullptr;
  const Inside inside;
  return standard_stream(stream);
}

template <class Wrapper, Noted note, void (*mark)(Stream&) noexcept, class... A>
TRIKAL_INTO_WRAPPER int renewed(FILE* stream, A... args) noexcept {
  Stream* found = watched(stream);
  if (found == nullptr) return Wrapper::real()(args...);
  if (!is_inside()) {
    const Inside inside;
    settle(*found);
  }
  return Wrapper::call_running(
      [found](Span when, int result, A...) noexcept {
        if (result == EOF) return not_moved(*found);
        note(*found, when, 1);
        mark(*found);
      },
      args...);
}

}  // namespace

TRIKAL_WRAPPER int __uflow(FILE* stream) {
  return renewed<Interposed<"__uflow", int(FILE*)>, has_read, mark_reading>(stream, stream);
}
TRIKAL_WRAPPER int __overflow(FILE* stream, int c) {
  return renewed<Interposed<"__overflow", int(FILE*, int)>, has_written, mark_writing>(stream, stream, c);
}
