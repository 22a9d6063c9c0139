#pragma once
// Loads and stores that need no alignment, and byte order.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace trikal {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

template <class T>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] inline T load(const std::byte* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
  requires std::is_trivially_copyable_v<T>
inline void store(std::byte* at, T value) noexcept {
  std::memcpy(at, &value, sizeof value);
}

[[nodiscard]] constexpr std::uint16_t byteswap(std::uint16_t v) noexcept { return __builtin_bswap16(v); }
[[nodiscard]] constexpr std::uint32_t byteswap(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
[[nodiscard]] constexpr std::uint64_t byteswap(std::uint64_t v) noexcept { return __builtin_bswap64(v); }

// Reverses every 8-byte word: what a log of the other byte order needs almost everywhere.
inline void swap_words(std::byte* at, std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) store(at + 8 * i, byteswap(load<std::uint64_t>(at + 8 * i)));
}

// Little-endian stores and loads, for the parts of a log whose order does not depend on the machine.
template <class T>
[[nodiscard]] inline T load_le(const std::byte* at) noexcept {
  const T value = load<T>(at);
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) return value;
  else return static_cast<T>(byteswap(value));
}

template <class T>
inline void store_le(std::byte* at, T value) noexcept {
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) store(at, value);
  else store(at, static_cast<T>(byteswap(value)));
}

}  // namespace trikal
