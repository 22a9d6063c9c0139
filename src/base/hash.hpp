#pragma once
// The two public-domain Jenkins hashes a Darshan log is built on, and the trailer's checksum.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.hpp"

namespace trikal {

// 64-bit "lookup8": record ids are this hash of the record's name. Safe anywhere, allocates nothing.
[[nodiscard]] std::uint64_t record_id(Bytes key, std::uint64_t seed = 0) noexcept;
[[nodiscard]] std::uint64_t record_id(std::string_view name, std::uint64_t seed = 0) noexcept;

// 32-bit "lookup3" (little-endian form): what obfuscated names, ids and job ids are replaced by.
[[nodiscard]] std::uint32_t obfuscation_hash(Bytes key, std::uint32_t seed) noexcept;
[[nodiscard]] std::uint32_t obfuscation_hash(std::string_view key, std::uint32_t seed) noexcept;

// CRC-32C of `data`, continuing from `crc` (0 to begin).
[[nodiscard]] std::uint32_t crc32c(Bytes data, std::uint32_t crc = 0) noexcept;

}  // namespace trikal
