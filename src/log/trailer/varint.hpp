#pragma once
// Whole numbers in as few bytes as they need: seven bits a byte, the lowest first, the highest bit set on all but the last.
// Differences are first folded so that small ones of either sign are small.

#include <cstddef>
#include <cstdint>

namespace trikal::log {

inline constexpr std::size_t kVarintBytes = 10;  // of the longest

// Returns how many bytes were written; `out` has space for kVarintBytes.
inline std::size_t put_varint(std::byte* out, std::uint64_t value) noexcept {
  std::size_t size = 0;
  for (; value > 0x7f; value >>= 7) out[size++] = static_cast<std::byte>(value | 0x80);
  out[size++] = static_cast<std::byte>(value);
  return size;
}

// Takes a number byte by byte; next() is a byte, and false at the end of them. False: it does not end, or does not fit into
// 64 bits.
template <class Next>
[[nodiscard]] bool take_varint(const Next& next, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t byte = 0;
    if (!next(byte)) return false;
    if (shift == 63 && byte > 1) return false;
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

[[nodiscard]] constexpr std::uint64_t fold_sign(std::uint64_t difference) noexcept {
  return (difference << 1) ^ (0 - (difference >> 63));
}
[[nodiscard]] constexpr std::uint64_t unfold_sign(std::uint64_t folded) noexcept {
  return (folded >> 1) ^ (0 - (folded & 1));
}

}  // namespace trikal::log
