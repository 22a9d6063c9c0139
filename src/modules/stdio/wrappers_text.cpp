// Words, characters and lines on the standard streams, and the fortified forms of reading.

#include <stdio.h>

#include "modules/stdio/wrappers.hpp"
#include "modules/stdio/wrappers_buffered.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

constexpr auto one_unless_end = [](int result) { return result != EOF ? 1 : kNothing; };

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int put_character(int c) noexcept {
  return observed_buffered<Interposed<Name, int(int)>, kWriting>(stdout, 1, one_unless_end, c);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int get_character() noexcept {
  return observed_buffered<Interposed<Name, int()>, kReading>(stdin, 1, one_unless_end);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER char* get_string_checked(char* into, size_t capacity, int size, FILE* stream) noexcept {
  const auto bytes = [](const char* got) {
    return got != nullptr ? static_cast<std::int64_t>(std::char_traits<char>::length(got)) : kNothing;
  };
  return observed<Interposed<Name, char*(char*, size_t, int, FILE*)>, has_read>(stream, bytes, into, capacity, size,
                                                                                stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER size_t read_items_checked(void* into, size_t capacity, size_t size, size_t count,
                                              FILE* stream) noexcept {
  const auto bytes = [size](size_t done) { return done > 0 ? static_cast<std::int64_t>(size * done) : kNothing; };
  return observed<Interposed<Name, size_t(void*, size_t, size_t, size_t, FILE*)>, has_read>(
      stream, bytes, into, capacity, size, count, stream);
}

}  // namespace

// The line and the end of line that puts adds.
TRIKAL_WRAPPER int puts(const char* text) {
  const auto bytes = [text](int result) {
    return result >= 0 ? static_cast<std::int64_t>(std::char_traits<char>::length(text)) + 1 : kNothing;
  };
  return observed<Interposed<"puts", int(const char*)>, has_written>(stdout, bytes, text);
}
TRIKAL_WRAPPER int putchar(int c) { return put_character<"putchar">(c); }
TRIKAL_WRAPPER int putchar_unlocked(int c) { return put_character<"putchar_unlocked">(c); }
TRIKAL_WRAPPER int getchar() { return get_character<"getchar">(); }
TRIKAL_WRAPPER int getchar_unlocked() { return get_character<"getchar_unlocked">(); }

// A word may look like EOF: only an error tells.
TRIKAL_WRAPPER int getw(FILE* stream) {
  const auto bytes = [stream](int result) {
    return result == EOF && (stream->_flags & (_IO_ERR_SEEN | _IO_EOF_SEEN)) != 0 ? kNothing
                                                                                  : std::int64_t{sizeof(int)};
  };
  return observed<Interposed<"getw", int(FILE*)>, has_read>(stream, bytes, stream);
}
TRIKAL_WRAPPER int putw(int word, FILE* stream) {
  const auto bytes = [](int result) { return result == 0 ? std::int64_t{sizeof(int)} : kNothing; };
  return observed<Interposed<"putw", int(int, FILE*)>, has_written>(stream, bytes, word, stream);
}

// A byte that is read, pushed back and read again is one byte of the file.
TRIKAL_WRAPPER int ungetc(int c, FILE* stream) {
  using Wrapper = Interposed<"ungetc", int(int, FILE*)>;
  Stream* found = streams.find(stream);
  if (found == nullptr) return Wrapper::real()(c, stream);
  return Wrapper::call_running(
      [found](Span, int result, int, FILE*) noexcept {
        if (result != EOF) pushed_back(*found, 1);
      },
      c, stream);
}

TRIKAL_WRAPPER char* __fgets_chk(char* into, size_t capacity, int size, FILE* stream) {
  return get_string_checked<"__fgets_chk">(into, capacity, size, stream);
}
TRIKAL_WRAPPER char* __fgets_unlocked_chk(char* into, size_t capacity, int size, FILE* stream) {
  return get_string_checked<"__fgets_unlocked_chk">(into, capacity, size, stream);
}
TRIKAL_WRAPPER size_t __fread_chk(void* into, size_t capacity, size_t size, size_t count, FILE* stream) {
  return read_items_checked<"__fread_chk">(into, capacity, size, count, stream);
}
TRIKAL_WRAPPER size_t __fread_unlocked_chk(void* into, size_t capacity, size_t size, size_t count, FILE* stream) {
  return read_items_checked<"__fread_unlocked_chk">(into, capacity, size, count, stream);
}
