#pragma once
// What an instruction yields: up to 64 bits (floating point by its bits, a pointer by its address), or not known, and why.

#include <bit>
#include <cstdint>

namespace trikal::predict {

using Word = std::uint64_t;
using Cause = std::uint32_t;  // 0: known; else a row of Causes
using Doubt = std::uint16_t;  // 0: sure; else a row of Doubts

inline constexpr Cause kKnown = 0;

struct Value {
  Word bits = 0;
  Cause cause = kKnown;
  bool data = false;  // comes from memory at an address that moves: it may change without a pattern
  Doubt doubt = 0;  // it is so only if an assumption holds: the clock, a message that was not followed

  [[nodiscard]] bool known() const { return cause == kKnown; }
  [[nodiscard]] double real() const { return std::bit_cast<double>(bits); }
  friend bool operator==(const Value& a, const Value& b) { return a.bits == b.bits && a.cause == b.cause; }

  // It rests on what that one rests on, too.
  void rest_on(Doubt other) { doubt = doubt != 0 ? doubt : other; }

  static Value of(Word bits) { return {bits, kKnown}; }
  static Value of(double value) { return {std::bit_cast<Word>(value), kKnown}; }
  static Value unknown(Cause cause) { return {0, cause}; }
};

// The value as a number with a sign: its lowest `width` bits.
[[nodiscard]] inline std::int64_t with_sign(Word bits, unsigned width) {
  if (width >= 64) return static_cast<std::int64_t>(bits);
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}
[[nodiscard]] inline Word lowest(Word bits, unsigned width) {
  return width >= 64 ? bits : bits & ((Word{1} << width) - 1);
}

}  // namespace trikal::predict
