#pragma once
// UUIDs as text. On disk they are sixteen bytes in the order they are written, whatever the machine.

#include <algorithm>
#include <string>

#include "base/bytes.hpp"

namespace trikal {

inline constexpr std::size_t kUuidBytes = 16;

// "d0e93d4c-fc99-4657-96a8-fb9fa4f43073"
[[nodiscard]] inline std::string uuid_text(const std::byte* uuid) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < kUuidBytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kHex[std::to_integer<unsigned>(uuid[i]) >> 4];
    text += kHex[std::to_integer<unsigned>(uuid[i]) & 15];
  }
  return text;
}

// All zero: nobody filled it in.
[[nodiscard]] inline bool is_null_uuid(const std::byte* uuid) {
  return std::all_of(uuid, uuid + kUuidBytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace trikal
