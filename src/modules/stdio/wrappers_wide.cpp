// Wide characters. Bytes are those of UTF-8 where characters may have more than one, else one each; of formatted
// output only the number of characters is known.

#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "modules/stdio/wrappers.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

std::int64_t bytes_of(wint_t c) noexcept {
  if (MB_CUR_MAX == 1 || c < 0x80) return 1;
  return c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}
std::int64_t bytes_unless_end(wint_t c) noexcept { return c == WEOF ? kNothing : bytes_of(c); }
std::int64_t bytes_of_text(const wchar_t* text) noexcept {
  std::int64_t sum = 0;
  for (; *text != L'\0'; ++text) sum += bytes_of(static_cast<wint_t>(*text));
  return sum;
}
std::int64_t printed(int result) noexcept { return result > 0 ? result : kNothing; }

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER wint_t put_character(wchar_t c, FILE* stream) noexcept {
  return observed<Interposed<Name, wint_t(wchar_t, FILE*)>, has_written>(stream, bytes_unless_end, c, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER wint_t get_character(FILE* stream) noexcept {
  return observed<Interposed<Name, wint_t(FILE*)>, has_read>(stream, bytes_unless_end, stream);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int put_string(const wchar_t* text, FILE* stream) noexcept {
  const auto bytes = [text](int result) { return result >= 0 ? bytes_of_text(text) : kNothing; };
  return observed<Interposed<Name, int(const wchar_t*, FILE*)>, has_written>(stream, bytes, text, stream);
}
template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER wchar_t* get_string(FILE* stream, A... args) noexcept {
  const auto bytes = [](const wchar_t* got) { return got != nullptr ? bytes_of_text(got) : kNothing; };
  return observed<Wrapper, has_read>(stream, bytes, args...);
}
TRIKAL_INTO_WRAPPER int print(FILE* stream, const wchar_t* format, va_list list) noexcept {
  return observed<Interposed<"vfwprintf", int(FILE*, const wchar_t*, va_list)>, has_written>(stream, printed, stream,
                                                                                             format, list);
}
TRIKAL_INTO_WRAPPER int print_checked(FILE* stream, int flag, const wchar_t* format, va_list list) noexcept {
  return observed<Interposed<"__vfwprintf_chk", int(FILE*, int, const wchar_t*, va_list)>, has_written>(
      stream, printed, stream, flag, format, list);
}

}  // namespace

TRIKAL_WRAPPER wint_t fputwc(wchar_t c, FILE* stream) { return put_character<"fputwc">(c, stream); }
TRIKAL_WRAPPER wint_t putwc(wchar_t c, FILE* stream) { return put_character<"putwc">(c, stream); }
TRIKAL_WRAPPER wint_t fputwc_unlocked(wchar_t c, FILE* stream) { return put_character<"fputwc_unlocked">(c, stream); }
TRIKAL_WRAPPER wint_t putwc_unlocked(wchar_t c, FILE* stream) { return put_character<"putwc_unlocked">(c, stream); }
TRIKAL_WRAPPER wint_t putwchar(wchar_t c) {
  return observed<Interposed<"putwchar", wint_t(wchar_t)>, has_written>(stdout, bytes_unless_end, c);
}
TRIKAL_WRAPPER wint_t fgetwc(FILE* stream) { return get_character<"fgetwc">(stream); }
TRIKAL_WRAPPER wint_t getwc(FILE* stream) { return get_character<"getwc">(stream); }
TRIKAL_WRAPPER wint_t fgetwc_unlocked(FILE* stream) { return get_character<"fgetwc_unlocked">(stream); }
TRIKAL_WRAPPER wint_t getwc_unlocked(FILE* stream) { return get_character<"getwc_unlocked">(stream); }
TRIKAL_WRAPPER wint_t getwchar() {
  return observed<Interposed<"getwchar", wint_t()>, has_read>(stdin, bytes_unless_end);
}
TRIKAL_WRAPPER int fputws(const wchar_t* text, FILE* stream) { return put_string<"fputws">(text, stream); }
TRIKAL_WRAPPER int fputws_unlocked(const wchar_t* text, FILE* stream) {
  return put_string<"fputws_unlocked">(text, stream);
}
TRIKAL_WRAPPER wchar_t* fgetws(wchar_t* into, int size, FILE* stream) {
  return get_string<Interposed<"fgetws", wchar_t*(wchar_t*, int, FILE*)>>(stream, into, size, stream);
}
TRIKAL_WRAPPER wchar_t* fgetws_unlocked(wchar_t* into, int size, FILE* stream) {
  return get_string<Interposed<"fgetws_unlocked", wchar_t*(wchar_t*, int, FILE*)>>(stream, into, size, stream);
}
TRIKAL_WRAPPER wchar_t* __fgetws_chk(wchar_t* into, size_t capacity, int size, FILE* stream) {
  return get_string<Interposed<"__fgetws_chk", wchar_t*(wchar_t*, size_t, int, FILE*)>>(stream, into, capacity, size,
                                                                                        stream);
}
TRIKAL_WRAPPER wchar_t* __fgetws_unlocked_chk(wchar_t* into, size_t capacity, int size, FILE* stream) {
  return get_string<Interposed<"__fgetws_unlocked_chk", wchar_t*(wchar_t*, size_t, int, FILE*)>>(stream, into, capacity,
                                                                                                 size, stream);
}

TRIKAL_WRAPPER int vfwprintf(FILE* stream, const wchar_t* format, va_list list) { return print(stream, format, list); }
TRIKAL_WRAPPER int vwprintf(const wchar_t* format, va_list list) { return print(stdout, format, list); }
TRIKAL_WRAPPER int fwprintf(FILE* stream, const wchar_t* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print(stream, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int wprintf(const wchar_t* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print(stdout, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format, va_list list) {
  return print_checked(stream, flag, format, list);
}
TRIKAL_WRAPPER int __fwprintf_chk(FILE* stream, int flag, const wchar_t* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print_checked(stream, flag, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __wprintf_chk(int flag, const wchar_t* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print_checked(stdout, flag, format, list);
  va_end(list);
  return result;
}
