// Reading and writing through streams.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "modules/stdio/wrappers.hpp"
#include "modules/stdio/wrappers_buffered.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

// 0 where it is too large to matter.
TRIKAL_INTO_WRAPPER size_t product(size_t size, size_t count) noexcept {
  return (size | count) >> 31 == 0 ? size * count : 0;
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER size_t write_items(const void* from, size_t size, size_t count, FILE* stream) noexcept {
  const auto bytes = [size](size_t done) { return done > 0 ? static_cast<std::int64_t>(size * done) : kNothing; };
  return observed_buffered<Interposed<Name, size_t(const void*, size_t, size_t, FILE*)>, kWriting>(
      stream, product(size, count), bytes, from, size, count, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER size_t read_items(void* into, size_t size, size_t count, FILE* stream) noexcept {
  const auto bytes = [size](size_t done) { return done > 0 ? static_cast<std::int64_t>(size * done) : kNothing; };
  return observed_buffered<Interposed<Name, size_t(void*, size_t, size_t, FILE*)>, kReading>(
      stream, product(size, count), bytes, into, size, count, stream);
}

constexpr auto one_unless_end = [](int result) { return result != EOF ? 1 : kNothing; };
constexpr auto printed = [](int result) { return result > 0 ? result : kNothing; };

struct PutHere {
  int operator()(int c, FILE* stream) const noexcept {
    return static_cast<unsigned char>(*stream->_IO_write_ptr++ = static_cast<char>(c));
  }
};
struct GetHere {
  int operator()(FILE* stream) const noexcept { return static_cast<unsigned char>(*stream->_IO_read_ptr++); }
};

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int put_character(int c, FILE* stream) noexcept {
  using Wrapper = Interposed<Name, int(int, FILE*)>;
  return observed_buffered<Wrapper, kWriting, PutHere>(stream, 1, one_unless_end, c, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int get_character(FILE* stream) noexcept {
  using Wrapper = Interposed<Name, int(FILE*)>;
  return observed_buffered<Wrapper, kReading, GetHere>(stream, 1, one_unless_end, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int put_string(const char* text, FILE* stream) noexcept {
  const std::size_t length = std::char_traits<char>::length(text);
  const auto bytes = [length](int result) { return result >= 0 ? static_cast<std::int64_t>(length) : kNothing; };
  return observed_buffered<Interposed<Name, int(const char*, FILE*)>, kWriting>(stream, length, bytes, text, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER char* get_string(char* into, int size, FILE* stream) noexcept {
  const auto bytes = [](const char* got) {
    return got != nullptr ? static_cast<std::int64_t>(std::char_traits<char>::length(got)) : kNothing;
  };
  return observed<Interposed<Name, char*(char*, int, FILE*)>, has_read>(stream, bytes, into, size, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER ssize_t get_delimited(char** line, size_t* size, int delimiter, FILE* stream) noexcept {
  const auto bytes = [](ssize_t got) { return got > 0 ? static_cast<std::int64_t>(got) : kNothing; };
  return observed<Interposed<Name, ssize_t(char**, size_t*, int, FILE*)>, has_read>(stream, bytes, line, size,
                                                                                    delimiter, stream);
}

TRIKAL_INTO_WRAPPER int print(FILE* stream, const char* format, va_list arguments) noexcept {
  return observed<Interposed<"vfprintf", int(FILE*, const char*, va_list)>, has_written>(stream, printed, stream,
                                                                                         format, arguments);
}
TRIKAL_INTO_WRAPPER int print_checked(FILE* stream, int flag, const char* format, va_list arguments) noexcept {
  return observed<Interposed<"__vfprintf_chk", int(FILE*, int, const char*, va_list)>, has_written>(
      stream, printed, stream, flag, format, arguments);
}

}  // namespace

TRIKAL_WRAPPER size_t fwrite(const void* from, size_t size, size_t count, FILE* stream) {
  return write_items<"fwrite">(from, size, count, stream);
}
TRIKAL_WRAPPER size_t fwrite_unlocked(const void* from, size_t size, size_t count, FILE* stream) {
  return write_items<"fwrite_unlocked">(from, size, count, stream);
}
TRIKAL_WRAPPER size_t fread(void* into, size_t size, size_t count, FILE* stream) {
  return read_items<"fread">(into, size, count, stream);
}
TRIKAL_WRAPPER size_t fread_unlocked(void* into, size_t size, size_t count, FILE* stream) {
  return read_items<"fread_unlocked">(into, size, count, stream);
}

TRIKAL_WRAPPER int fputc(int c, FILE* stream) { return put_character<"fputc">(c, stream); }
TRIKAL_WRAPPER int putc(int c, FILE* stream) { return put_character<"putc">(c, stream); }
TRIKAL_WRAPPER int _IO_putc(int c, FILE* stream) { return put_character<"_IO_putc">(c, stream); }
TRIKAL_WRAPPER int fputc_unlocked(int c, FILE* stream) { return put_character<"fputc_unlocked">(c, stream); }
TRIKAL_WRAPPER int putc_unlocked(int c, FILE* stream) { return put_character<"putc_unlocked">(c, stream); }
TRIKAL_WRAPPER int fgetc(FILE* stream) { return get_character<"fgetc">(stream); }
TRIKAL_WRAPPER int getc(FILE* stream) { return get_character<"getc">(stream); }
TRIKAL_WRAPPER int _IO_getc(FILE* stream) { return get_character<"_IO_getc">(stream); }
TRIKAL_WRAPPER int fgetc_unlocked(FILE* stream) { return get_character<"fgetc_unlocked">(stream); }
TRIKAL_WRAPPER int getc_unlocked(FILE* stream) { return get_character<"getc_unlocked">(stream); }

TRIKAL_WRAPPER int fputs(const char* text, FILE* stream) { return put_string<"fputs">(text, stream); }
TRIKAL_WRAPPER int fputs_unlocked(const char* text, FILE* stream) { return put_string<"fputs_unlocked">(text, stream); }
TRIKAL_WRAPPER char* fgets(char* into, int size, FILE* stream) { return get_string<"fgets">(into, size, stream); }
TRIKAL_WRAPPER char* fgets_unlocked(char* into, int size, FILE* stream) {
  return get_string<"fgets_unlocked">(into, size, stream);
}

TRIKAL_WRAPPER ssize_t getdelim(char** line, size_t* size, int delimiter, FILE* stream) {
  return get_delimited<"getdelim">(line, size, delimiter, stream);
}
TRIKAL_WRAPPER ssize_t __getdelim(char** line, size_t* size, int delimiter, FILE* stream) {
  return get_delimited<"__getdelim">(line, size, delimiter, stream);
}
TRIKAL_WRAPPER ssize_t getline(char** line, size_t* size, FILE* stream) {
  return get_delimited<"getdelim">(line, size, '\n', stream);
}

TRIKAL_WRAPPER int vfprintf(FILE* stream, const char* format, va_list arguments) {
  return print(stream, format, arguments);
}
TRIKAL_WRAPPER int vprintf(const char* format, va_list arguments) { return print(stdout, format, arguments); }
TRIKAL_WRAPPER int fprintf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stream, format, arguments);
  va_end(arguments);
  return result;
}
TRIKAL_WRAPPER int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stdout, format, arguments);
  va_end(arguments);
  return result;
}
TRIKAL_WRAPPER int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  return print_checked(stream, flag, format, arguments);
}
TRIKAL_WRAPPER int __vprintf_chk(int flag, const char* format, va_list arguments) {
  return print_checked(stdout, flag, format, arguments);
}
TRIKAL_WRAPPER int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_checked(stream, flag, format, arguments);
  va_end(arguments);
  return result;
}
TRIKAL_WRAPPER int __printf_chk(int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print_checked(stdout, flag, format, arguments);
  va_end(arguments);
  return result;
}
