// The record encoder against zlib's own reader, and its codes against what a code must be.

#include "log/codec/record_deflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "log/codec/prefix_code.hpp"

namespace trikal::log {
namespace {

using Data = std::vector<std::byte>;

Data packed(const Data& plain, const RecordEffort& effort) {
  // Garbage all around: neither memory nor the space behind the stream may matter.
  static std::vector<std::uint64_t> memory(kRecordDeflateMemory / 8, 0xa5a5a5a5a5a5a5a5);
  Data out(record_deflate_bound(plain.size()), std::byte{0x5a});
  out.resize(record_deflate(plain, effort, out, std::as_writable_bytes(std::span(memory))));
  EXPECT_LE(out.size(), record_deflate_bound(plain.size()));
  return out;
}

Data unpacked(const Data& stream, std::size_t size) {
  Data plain(size + 1);
  uLongf length = plain.size();
  const int result = uncompress(reinterpret_cast<Bytef*>(plain.data()), &length,
                                reinterpret_cast<const Bytef*>(stream.data()), stream.size());
  EXPECT_EQ(result, Z_OK);
  plain.resize(length);
  return plain;
}

std::size_t zlib_size(const Data& plain, int level) {
  Data out(compressBound(plain.size()));
  uLongf length = out.size();
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
                      plain.size(), level),
            Z_OK);
  return length;
}

constexpr RecordEffort kEfforts[] = {{},        {704, 1, 24},    {704, 4, 96},     {8, 8, 258},    {40000, 2, 3},
                                     {1, 0, 0}, {704, 1, 24, 4}, {704, 4, 32, 12}, {0, 8, 258, 3}, {16, 2, 40, 0}};

void expect_the_same(const Data& plain) {
  for (const RecordEffort& effort : kEfforts) EXPECT_EQ(unpacked(packed(plain, effort), plain.size()), plain);
}

// A random id, counters of which few are set, times that grow.
Data records_of(std::size_t count, std::size_t words) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> all;
  double now = 0.5;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t word = 0; word < words; ++word) {
      now += static_cast<double>(1 + random() % 64) / 1048576;
      all.push_back(word == 0          ? random()
                    : word % 11 == 5   ? 64
                    : word + 6 > words ? std::bit_cast<std::uint64_t>(now)
                                       : 0);
    }
  }
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

TEST(RecordDeflate, IsReadByZlib) {
  expect_the_same({});
  for (const std::size_t size : {1, 2, 3, 4, 7, 258, 259, 16383, 16384, 16385, 70000, 300000}) {
    std::mt19937_64 random(size);
    Data zeros(size), noise(size), few(size);
    for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
    for (std::byte& byte : few) byte = static_cast<std::byte>(random() % 3);
    expect_the_same(zeros);
    expect_the_same(noise);
    expect_the_same(few);
  }
}

TEST(RecordDeflate, AnythingGoesThrough) {
  std::mt19937_64 random(3);
  const char* full = std::getenv("TRIKAL_FULL");
  // Each size twice; with scripts/test --full more often.
  const int rounds = full != nullptr && full[0] == '1' ? 60 : 18;
  for (int round = 0; round < rounds; ++round) {
    Data plain;
    while (plain.size() < 1000U << (round % 9)) {
      const std::size_t length = 1 + random() % 600;
      if (!plain.empty() && random() % 2 != 0) {
        const std::size_t from = random() % plain.size();
        for (std::size_t i = 0; i < length; ++i) plain.push_back(plain[from + i]);
      } else {
        for (std::size_t i = 0; i < length; ++i) plain.push_back(static_cast<std::byte>(random() >> (random() % 64)));
      }
    }
    expect_the_same(plain);
  }
}

TEST(RecordDeflate, NoiseIsStored) {
  std::mt19937_64 random(5);
  Data noise(1 << 20);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
  const std::size_t size = packed(noise, {}).size();
  EXPECT_LT(size, noise.size() + 1000);
}

TEST(RecordDeflate, RecordsAreSmallerThanFromZlib) {
  const Data records = records_of(2000, 88);
  expect_the_same(records);
  EXPECT_LT(packed(records, {704, 1, 24}).size(), zlib_size(records, 6));
  EXPECT_LT(packed(records, {704, 4, 96}).size(), packed(records, {704, 1, 24}).size());
}

// Every code must be whole: the shares of all words add up to one, and nothing is longer than allowed.
void expect_a_code(std::vector<std::uint32_t> counts, unsigned longest) {
  const std::vector<std::uint32_t> before = counts;
  std::vector<std::uint8_t> lengths(counts.size());
  make_code_lengths(counts, longest, lengths);
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_LE(lengths[i], longest);
    if (before[i] > 0) {
      EXPECT_GT(lengths[i], 0);
    }
    if (lengths[i] > 0) taken += std::uint64_t{1} << (longest - lengths[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (before[i] > before[j] && before[j] > 0) {
        EXPECT_LE(lengths[i], lengths[j]);
      }
    }
  }
  EXPECT_EQ(taken, std::uint64_t{1} << longest);
}

TEST(PrefixCode, IsWholeAndNotTooLong) {
  expect_a_code({0, 0, 0}, 7);
  expect_a_code({0, 9, 0}, 7);
  expect_a_code({1, 1}, 15);
  std::vector<std::uint32_t> steep = {1, 1};  // Huffman's own code would have words of up to 39 bits
  while (steep.size() < 40) steep.push_back(steep[steep.size() - 1] + steep[steep.size() - 2]);
  expect_a_code(steep, 15);
  expect_a_code({steep.begin(), steep.begin() + 19}, 7);
  std::mt19937_64 random(9);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> counts(2 + random() % 287);
    for (std::uint32_t& count : counts) count = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    expect_a_code(counts, round % 2 != 0 ? 15 : 9);
  }
}

TEST(PrefixCode, IsTheBestOne) {
  std::vector<std::uint32_t> counts = {45, 13, 12, 16, 9, 5};  // 224 bits is what Huffman's code takes
  std::vector<std::uint8_t> lengths(counts.size());
  make_code_lengths(counts, 15, lengths);
  std::size_t bits = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) bits += std::size_t{counts[i]} * lengths[i];
  EXPECT_EQ(bits, 224U);
}

}  // namespace
}  // namespace trikal::log
