#include "analyze/dataset/packed_uses.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace trikal::analyze {
namespace {

// A packed use: which of its words follow, in two words; then those. The second has room for more than its bits: it
// tells how many words there is room for, so that a use that grew may stay where it is.
constexpr std::size_t kWords = sizeof(Use) / 8, kHighWords = kWords - 64, kHead = 2;
constexpr unsigned kRoomShift = 32;
constexpr std::uint64_t kHighMask = (std::uint64_t{1} << kHighWords) - 1;
constexpr std::uint64_t kChunkWords = std::uint64_t{1} << 17U;  // a mebibyte
static_assert(std::is_trivially_copyable_v<Use> && sizeof(Use) == kWords * 8 && kWords > 64 && kHighWords < kRoomShift);

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

std::uint64_t* PackedUses::at(std::uint64_t place) const {
  return chunks_[place / kChunkWords].get() + place % kChunkWords;
}

// No use lies in two chunks.
std::uint64_t PackedUses::make_room(std::uint32_t words) {
  if (end_ % kChunkWords + words > kChunkWords) end_ += kChunkWords - end_ % kChunkWords;
  if (end_ / kChunkWords == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kChunkWords));
  const std::uint64_t place = end_;
  end_ += words;
  return place;
}

std::uint32_t PackedUses::add(const Use& use) {
  const auto number = static_cast<std::uint32_t>(places_.size());
  const auto words =
      static_cast<std::uint32_t>(std::popcount(used_words(use, 0, 64)) + std::popcount(used_words(use, 64, kWords)));
  places_.push_back(make_room(static_cast<std::uint32_t>(kHead) + words));
  at(places_[number])[1] = std::uint64_t{words} << kRoomShift;
  replace(number, use);
  return number;
}

void PackedUses::replace(std::uint32_t number, const Use& use) {
  const std::uint64_t low = used_words(use, 0, 64), high = used_words(use, 64, kWords);
  const auto words = static_cast<std::uint32_t>(std::popcount(low) + std::popcount(high));
  std::uint64_t* place = at(places_[number]);
  auto room = static_cast<std::uint32_t>(place[1] >> kRoomShift);
  if (words > room) {  // what it had is lost: a use grows a few times at most, as ranks come that do other things
    places_[number] = make_room(static_cast<std::uint32_t>(kHead) + words);
    place = at(places_[number]), room = words;
  }
  place[0] = low, place[1] = std::uint64_t{room} << kRoomShift | high;
  std::uint64_t* next = place + kHead;
  const auto put = [&](std::size_t word) { std::memcpy(next++, word_of(use, word), 8); };
  for_each_bit(low, 0, put);
  for_each_bit(high, 64, put);
}

void PackedUses::get(std::uint32_t number, Room& room) const {
  const std::uint64_t* place = at(places_[number]);
  const std::uint64_t low = place[0], high = place[1] & kHighMask;
  const auto clear = [&](std::size_t word) { std::memset(word_of(room.use_, word), 0, 8); };
  for_each_bit(room.low_ & ~low, 0, clear);
  for_each_bit(room.high_ & ~high & kHighMask, 64, clear);
  room.low_ = low, room.high_ = high;
  const std::uint64_t* next = place + kHead;
  const auto take = [&](std::size_t word) { std::memcpy(word_of(room.use_, word), next++, 8); };
  for_each_bit(low, 0, take);
  for_each_bit(high, 64, take);
}

Use PackedUses::get(std::uint32_t number) const {
  Room room;
  get(number, room);
  return room.use();
}

std::size_t PackedUses::bytes() const { return chunks_.size() * kChunkWords * 8 + places_.size() * 8; }

}  // namespace trikal::analyze
