#include "base/decimal.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace trikal {
namespace {

constexpr std::array<char, 200> two_digit_table() {
  std::array<char, 200> table{};
  for (std::size_t i = 0; i < 100; ++i) {
    table[2 * i] = static_cast<char>('0' + i / 10);
    table[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return table;
}
constexpr auto kPairs = two_digit_table();

constexpr std::array<std::uint64_t, 7> kPowers = {1, 10, 100, 1000, 10000, 100000, 1000000};

constexpr auto kTens = [] {  // kTens[n] is the smallest number of n + 1 digits; 0 has one
  std::array<std::uint64_t, kMaxIntegerText> tens{};
  std::uint64_t ten = 1;
  for (std::size_t i = 1; i < tens.size(); ++i) tens[i] = ten *= 10;
  return tens;
}();

std::size_t digit_count(std::uint64_t value) noexcept {
  const auto bits = static_cast<std::size_t>(std::bit_width(value | 1));
  const std::size_t guess = bits * 1233 >> 12;  // log10(2) is a little over 1233 / 4096
  return guess + (value >= kTens[guess] ? 1 : 0);
}

// The digits of `value` so that they end before `end`.
void write_digits(char* end, std::uint64_t value) noexcept {
  while (value >= 100) {
    end -= 2;
    std::memcpy(end, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) std::memcpy(end - 2, &kPairs[2 * value], 2);
  else end[-1] = static_cast<char>('0' + value);
}

// `digits` decimal digits of `value`, zeros in front; an even number of them.
char* write_padded(char* at, std::uint64_t value, int digits) noexcept {
  for (int i = digits - 2; i >= 0; i -= 2, value /= 100) std::memcpy(at + i, &kPairs[2 * (value % 100)], 2);
  return at + digits;
}

// As many spaces as `length` leaves of `width`.
char* write_spaces(char* at, std::size_t length, std::size_t width) noexcept {
  if (length >= width) return at;
  std::memset(at, ' ', width - length);
  return at + (width - length);
}

constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1075;  // of the mantissa taken as a whole number

// mantissa * 10^digits / 2^shift, rounded half to even: the exact fraction, as printf rounds it.
std::uint64_t scaled_fraction(std::uint64_t mantissa, int shift, int digits) noexcept {
  __extension__ typedef unsigned __int128 Wide;  // gcc and clang have it, ISO does not
  const Wide scaled = Wide{mantissa} * kPowers[static_cast<std::size_t>(digits)];  // below 2^73
  if (shift > 80) return 0;
  const auto whole = static_cast<std::uint64_t>(scaled >> shift);
  const Wide rest = scaled & ((Wide{1} << shift) - 1);
  const Wide half = Wide{1} << (shift - 1);
  const bool up = rest > half || (rest == half && (whole & 1) != 0);
  return whole + (up ? 1 : 0);
}

char* write_by_printf(char* at, double value, int digits, std::size_t width) noexcept {
  char text[kMaxRealText + 1];
  const auto length = static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*f", digits, value));
  at = write_spaces(at, length, width);
  std::memcpy(at, text, length);
  return at + length;
}

// mantissa * 2^shift in full. printf takes ten times as long, which a damaged log with many such numbers would make felt.
char* write_huge(char* at, bool negative, std::uint64_t mantissa, int shift, int digits, std::size_t width) noexcept {
  constexpr std::uint64_t kLimb = 1000000000;
  constexpr int kLimbDigits = 9;
  constexpr int kStep = 32;  // a limb times 2^32 and what is carried stay below 2^64
  std::array<std::uint64_t, 36> limbs{mantissa % kLimb, mantissa / kLimb};  // the lowest first; 2^1024 has 309 digits
  std::size_t used = 2;
  for (; shift > 0; shift -= kStep) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < used; ++i) {
      const std::uint64_t product = (limbs[i] << (shift < kStep ? shift : kStep)) + carry;
      limbs[i] = product % kLimb;
      carry = product / kLimb;
    }
    for (; carry != 0; carry /= kLimb) limbs[used++] = carry % kLimb;
  }
  while (limbs[used - 1] == 0) --used;
  const std::size_t whole_digits = digit_count(limbs[used - 1]) + kLimbDigits * (used - 1);
  at = write_spaces(at, (negative ? 1U : 0U) + whole_digits + 1 + static_cast<std::size_t>(digits), width);
  if (negative) *at++ = '-';
  at = write_uint(at, limbs[used - 1]);
  for (std::size_t i = used - 1; i-- > 0; at += kLimbDigits) {
    std::memset(at, '0', kLimbDigits);
    write_digits(at + kLimbDigits, limbs[i]);
  }
  *at++ = '.';
  return write_padded(at, 0, digits);
}

char* write_fixed(char* at, double value, int digits, std::size_t width) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>((bits >> kMantissaBits) & 0x7ff);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  if (exponent == 0x7ff) return write_by_printf(at, value, digits, width);  // inf, nan
  const bool negative = (bits >> 63) != 0;
  if (exponent != 0) mantissa |= std::uint64_t{1} << kMantissaBits;
  if (exponent >= kExponentBias + 10) {  // 2^62 and up
    return write_huge(at, negative, mantissa, exponent - kExponentBias, digits, width);
  }
  const int shift = kExponentBias - (exponent == 0 ? 1 : exponent);  // value = mantissa / 2^shift
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  if (shift <= 0) {
    whole = mantissa << -shift;
  } else {
    if (shift <= kMantissaBits) whole = mantissa >> shift, mantissa &= (std::uint64_t{1} << shift) - 1;
    fraction = scaled_fraction(mantissa, shift, digits);
    const std::uint64_t one = kPowers[static_cast<std::size_t>(digits)];
    if (fraction >= one) whole += 1, fraction -= one;
  }
  const std::size_t whole_digits = digit_count(whole);
  at = write_spaces(at, (negative ? 1U : 0U) + whole_digits + 1 + static_cast<std::size_t>(digits), width);
  if (negative) *at++ = '-';
  at += whole_digits;
  write_digits(at, whole);
  *at++ = '.';
  return write_padded(at, fraction, digits);
}

}  // namespace

char* write_uint(char* at, std::uint64_t value) noexcept {
  char* const end = at + digit_count(value);
  write_digits(end, value);
  return end;
}

char* write_int(char* at, std::int64_t value) noexcept {
  if (value >= 0) return write_uint(at, static_cast<std::uint64_t>(value));
  *at++ = '-';
  return write_uint(at, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

char* write_fixed6(char* at, double value) noexcept {
  if (std::bit_cast<std::uint64_t>(value) == 0) {  // by far the most common value in a log
    std::memcpy(at, "0.000000", 8);
    return at + 8;
  }
  return write_fixed(at, value, 6, 0);
}

char* write_fixed4(char* at, double value) noexcept { return write_fixed(at, value, 4, 0); }

char* write_int_right(char* at, std::int64_t value, std::size_t width) noexcept {
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = negative ? std::uint64_t{0} - bits : bits;
  const std::size_t whole_digits = digit_count(size);
  at = write_spaces(at, (negative ? 1U : 0U) + whole_digits, width);
  if (negative) *at++ = '-';
  at += whole_digits;
  write_digits(at, size);
  return at;
}

char* write_fixed4_right(char* at, double value, std::size_t width) noexcept {
  return write_fixed(at, value, 4, width);
}

}  // namespace trikal
