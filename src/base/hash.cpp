#include "base/hash.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace trikal {
namespace {

struct Mix64 {
  std::uint64_t a, b, c;

  void stir() noexcept {
    sub_right(a, b, c, 43), sub_left(b, c, a, 9), sub_right(c, a, b, 8);
    sub_right(a, b, c, 38), sub_left(b, c, a, 23), sub_right(c, a, b, 5);
    sub_right(a, b, c, 35), sub_left(b, c, a, 49), sub_right(c, a, b, 11);
    sub_right(a, b, c, 12), sub_left(b, c, a, 18), sub_right(c, a, b, 22);
  }

 private:
  static void sub_right(std::uint64_t& x, std::uint64_t y, std::uint64_t z, int shift) noexcept {
    x = (x - y - z) ^ (z >> shift);
  }
  static void sub_left(std::uint64_t& x, std::uint64_t y, std::uint64_t z, int shift) noexcept {
    x = (x - y - z) ^ (z << shift);
  }
};

std::uint64_t eight(const std::byte* at) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

// Up to eight bytes as a little-endian number, whatever this machine's order.
std::uint64_t little(const std::byte* at, std::size_t count) noexcept {
  if (count == 8) return eight(at);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  return value;
}

struct Mix32 {
  std::uint32_t a, b, c;

  void stir() noexcept {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  void finish() noexcept {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

// What a byte makes of the sum, and what it makes of it with one to seven zero bytes behind it.
constexpr CrcTables crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    tables[0][i] = crc;
  }
  for (std::size_t zeros = 1; zeros < tables.size(); ++zeros) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t shorter = tables[zeros - 1][i];
      tables[zeros][i] = (shorter >> 8) ^ tables[0][shorter & 0xff];
    }
  }
  return tables;
}

}  // namespace

std::uint64_t record_id(Bytes key, std::uint64_t seed) noexcept {
  Mix64 mix{seed, seed, 0x9e3779b97f4a7c13ULL};
  const std::byte* at = key.data();
  std::size_t left = key.size();
  for (; left >= 24; at += 24, left -= 24) {
    mix.a += little(at, 8), mix.b += little(at + 8, 8), mix.c += little(at + 16, 8);
    mix.stir();
  }
  mix.c += key.size();
  if (left > 0) mix.a += little(at, left < 8 ? left : 8);
  if (left > 8) mix.b += little(at + 8, left < 16 ? left - 8 : 8);
  if (left > 16) mix.c += little(at + 16, left - 16) << 8;  // the lowest byte holds the length
  mix.stir();
  return mix.c;
}

std::uint64_t record_id(std::string_view name, std::uint64_t seed) noexcept {
  return record_id(std::as_bytes(std::span{name}), seed);
}

std::uint32_t obfuscation_hash(Bytes key, std::uint32_t seed) noexcept {
  const std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(key.size()) + seed;
  Mix32 mix{start, start, start};
  const std::byte* at = key.data();
  std::size_t left = key.size();
  const auto take = [&at](std::size_t from, std::size_t count) {
    return static_cast<std::uint32_t>(little(at + from, count));
  };
  for (; left > 12; at += 12, left -= 12) {
    mix.a += take(0, 4), mix.b += take(4, 4), mix.c += take(8, 4);
    mix.stir();
  }
  if (left == 0) return mix.c;
  mix.a += take(0, left < 4 ? left : 4);
  if (left > 4) mix.b += take(4, left < 8 ? left - 4 : 4);
  if (left > 8) mix.c += take(8, left - 8);
  mix.finish();
  return mix.c;
}

std::uint32_t obfuscation_hash(std::string_view key, std::uint32_t seed) noexcept {
  return obfuscation_hash(std::as_bytes(std::span{key}), seed);
}

std::uint32_t crc32c(Bytes data, std::uint32_t crc) noexcept {
  static constexpr CrcTables kTables = crc_tables();
  crc = ~crc;
  const std::byte* at = data.data();
  std::size_t left = data.size();
  for (; left >= 8; at += 8, left -= 8) {
    const std::uint64_t word = eight(at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (; left > 0; ++at, --left) crc = (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xff];
  return ~crc;
}

}  // namespace trikal
