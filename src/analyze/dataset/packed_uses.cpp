#include "analyze/dataset/packed_uses.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace trikal::analyze {
namespace {

// A packed use: which of its words follow, in two words; then those. The second has capacity for more than its bits: it
// tells how many words there is capacity for, so that a use that grew may stay where it is.
constexpr std::size_t kWords = sizeof(Use) / 8, kHighWords = kWords - 64, kHead = 2;
constexpr unsigned kCapacityShift = 32;
constexpr std::uint64_t kHighMask = (std::uint64_t{1} << kHighWords) - 1;
constexpr std::uint64_t kChunkWords = std::uint64_t{1} << 17U;  // a mebibyte
static_assert(std::is_trivially_copyable_v<Use> && sizeof(Use) == kWords * 8 && kWords > 64 &&
              kHighWords < kCapacityShift);

const std::byte* word_of(const Use& use, std::size_t word) {
  return reinterpret_cast<const std::byte*>(&use) + 8 * word;
}
std::byte* word_of(Use& use, std::size_t word) { return reinterpret_cast<std::byte*>(&use) + 8 * word; }

std::uint64_t used_words(const Use& use, std::size_t begin, std::size_t end) {
  std::uint64_t mask = 0;
  for (std::size_t i = begin; i < end; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, word_of(use, i), 8);
    mask |= std::uint64_t{word != 0} << (i - begin);
  }
  return mask;
}

// Calls take(word) for every bit, from the lowest on.
template <class Take>
void for_each_bit(std::uint64_t mask, std::size_t begin, const Take& take) {
  for (; mask != 0; mask &= mask - 1) take(begin + static_cast<std::size_t>(std::countr_zero(mask)));
}

}  // namespace

std::uint64_t* PackedUses::at(std::uint64_t word) const {
  return chunks_[word / kChunkWords].get() + word % kChunkWords;
}

// No use lies in two chunks.
std::uint64_t PackedUses::reserve(std::uint32_t words) {
  if (end_ % kChunkWords + words > kChunkWords) end_ += kChunkWords - end_ % kChunkWords;
  if (end_ / kChunkWords == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kChunkWords));
  const std::uint64_t word = end_;
  end_ += words;
  return word;
}

std::uint32_t PackedUses::add(const Use& use) {
  const auto number = static_cast<std::uint32_t>(begins_.size());
  const auto words =
      static_cast<std::uint32_t>(std::popcount(used_words(use, 0, 64)) + std::popcount(used_words(use, 64, kWords)));
  begins_.push_back(reserve(static_cast<std::uint32_t>(kHead) + words));
  at(begins_[number])[1] = std::uint64_t{words} << kCapacityShift;
  replace(number, use);
  return number;
}

void PackedUses::replace(std::uint32_t number, const Use& use) {
  const std::uint64_t low = used_words(use, 0, 64), high = used_words(use, 64, kWords);
  const auto words = static_cast<std::uint32_t>(std::popcount(low) + std::popcount(high));
  std::uint64_t* packed = at(begins_[number]);
  auto capacity = static_cast<std::uint32_t>(packed[1] >> kCapacityShift);
  if (words > capacity) {  // what it had is lost: a use grows a few times at most, as ranks come that do other things
    begins_[number] = reserve(static_cast<std::uint32_t>(kHead) + words);
    packed = at(begins_[number]), capacity = words;
  }
  packed[0] = low, packed[1] = std::uint64_t{capacity} << kCapacityShift | high;
  std::uint64_t* next = packed + kHead;
  const auto put = [&](std::size_t word) { std::memcpy(next++, word_of(use, word), 8); };
  for_each_bit(low, 0, put);
  for_each_bit(high, 64, put);
}

void PackedUses::get(std::uint32_t number, Unpacked& unpacked) const {
  const std::uint64_t* packed = at(begins_[number]);
  const std::uint64_t low = packed[0], high = packed[1] & kHighMask;
  const auto clear = [&](std::size_t word) { std::memset(word_of(unpacked.use_, word), 0, 8); };
  for_each_bit(unpacked.low_ & ~low, 0, clear);
  for_each_bit(unpacked.high_ & ~high & kHighMask, 64, clear);
  unpacked.low_ = low, unpacked.high_ = high;
  const std::uint64_t* next = packed + kHead;
  const auto take = [&](std::size_t word) { std::memcpy(word_of(unpacked.use_, word), next++, 8); };
  for_each_bit(low, 0, take);
  for_each_bit(high, 64, take);
}

Use PackedUses::get(std::uint32_t number) const {
  Unpacked unpacked;
  get(number, unpacked);
  return unpacked.use();
}

std::size_t PackedUses::bytes() const { return chunks_.size() * kChunkWords * 8 + begins_.size() * 8; }

}  // namespace trikal::analyze
