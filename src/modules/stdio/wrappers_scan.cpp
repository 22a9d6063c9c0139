// Reading by format. The bytes are what the stream's buffer moved on by: asking for the position would cost a system
// call each time. Where one call drains more than one buffer, the bytes between are not seen.

#include <stdarg.h>
#include <wchar.h>

#include "modules/stdio/wrappers.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

struct BufferPosition {
  const char *at, *end;
  explicit BufferPosition(const FILE* stream) noexcept : at(stream->_IO_read_ptr), end(stream->_IO_read_end) {}

  [[nodiscard]] std::int64_t moved(const FILE* stream) const noexcept {
    if (stream->_IO_read_end == end && stream->_IO_read_ptr >= at) return stream->_IO_read_ptr - at;
    return (end - at) + (stream->_IO_read_ptr - stream->_IO_read_base);
  }
};

// An input that did not match counts for nothing; the end of the file is a read of nothing.
template <trikal::FixedString Name, class Char>
TRIKAL_INTO_WRAPPER int scan(FILE* stream, const Char* format, va_list arguments) noexcept {
  const BufferPosition before(stream);
  const auto bytes = [&before, stream](int result) { return result != 0 ? before.moved(stream) : kNothing; };
  return observed<Interposed<Name, int(FILE*, const Char*, va_list)>, has_read>(stream, bytes, stream, format,
                                                                                arguments);
}

}  // namespace

// The header gives the plain names to the C99 functions; these are the ones older programs call.
TRIKAL_WRAPPER int plain_vfscanf(FILE*, const char*, va_list) __asm__("vfscanf");
TRIKAL_WRAPPER int plain_vscanf(const char*, va_list) __asm__("vscanf");
TRIKAL_WRAPPER int plain_fscanf(FILE*, const char*, ...) __asm__("fscanf");
TRIKAL_WRAPPER int plain_scanf(const char*, ...) __asm__("scanf");

TRIKAL_WRAPPER int plain_vfscanf(FILE* stream, const char* format, va_list list) {
  return scan<"vfscanf">(stream, format, list);
}
TRIKAL_WRAPPER int plain_vscanf(const char* format, va_list list) { return scan<"vfscanf">(stdin, format, list); }
TRIKAL_WRAPPER int __isoc99_vfscanf(FILE* stream, const char* format, va_list list) {
  return scan<"__isoc99_vfscanf">(stream, format, list);
}
TRIKAL_WRAPPER int __isoc99_vscanf(const char* format, va_list list) {
  return scan<"__isoc99_vfscanf">(stdin, format, list);
}
TRIKAL_WRAPPER int __isoc23_vfscanf(FILE* stream, const char* format, va_list list) {
  return scan<"__isoc23_vfscanf">(stream, format, list);
}
TRIKAL_WRAPPER int __isoc23_vscanf(const char* format, va_list list) {
  return scan<"__isoc23_vfscanf">(stdin, format, list);
}
TRIKAL_WRAPPER int plain_fscanf(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"vfscanf">(stream, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int plain_scanf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"vfscanf">(stdin, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __isoc99_fscanf(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"__isoc99_vfscanf">(stream, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __isoc99_scanf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"__isoc99_vfscanf">(stdin, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __isoc23_fscanf(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"__isoc23_vfscanf">(stream, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __isoc23_scanf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = scan<"__isoc23_vfscanf">(stdin, format, list);
  va_end(list);
  return result;
}
