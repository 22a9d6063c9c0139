#pragma once
// Who sends to whom when the ranks of a job end: a tree of eight branches over the numbers of the ranks, known to
// everybody without asking, and the ranks of a block of 64 that share compressed streams because they share a node.

#include <array>
#include <cstdint>
#include <span>

namespace trikal::capture {

inline constexpr std::int64_t kBranches = 8;
inline constexpr std::int64_t kBlock = 64;  // a rank and two levels below it
static_assert(kBlock == kBranches * kBranches);

// -1: the root has none.
[[nodiscard]] constexpr std::int64_t parent_of(std::int64_t rank) noexcept {
  std::int64_t unit = 1;  // of the lowest digit that is not 0, in base 8
  while (rank > 0 && rank / unit % kBranches == 0) unit *= kBranches;
  return rank > 0 ? rank - rank / unit % kBranches * unit : -1;
}

// Calls use(child) in ascending order, which is also the order of the ranks below them.
template <class Use>
constexpr void for_each_child(std::int64_t rank, std::int64_t ranks, const Use& use) {
  for (std::int64_t unit = 1; unit < ranks && rank / unit % kBranches == 0; unit *= kBranches) {
    for (std::int64_t digit = 1; digit < kBranches && rank + digit * unit < ranks; ++digit) use(rank + digit * unit);
  }
}

// Behind the last rank below `child` (which is not the root).
[[nodiscard]] constexpr std::int64_t end_below(std::int64_t child, std::int64_t ranks) noexcept {
  std::int64_t unit = 1;
  while (child / unit % kBranches == 0) unit *= kBranches;
  return child + unit < ranks ? child + unit : ranks;
}

[[nodiscard]] constexpr bool leads_block(std::int64_t rank) noexcept { return rank % kBlock == 0; }

// What a member tells the leader of its block.
struct Member {
  std::uint64_t node = 0;   // a hash of the machine's name
  std::uint64_t bytes = 0;  // of its names and records, as they lie in memory
  std::uint64_t records = 0;

  // About what is left of the bytes without those of `shared` records, which do not go into streams.
  [[nodiscard]] constexpr std::uint64_t without(std::uint64_t shared) const noexcept {
    return shared < records ? bytes / records * (records - shared) : shared == records ? 0 : bytes;
  }
};

// A set of ranks of one block, a bit each.
using Part = std::uint64_t;

// Ranks of one node with few bytes become one part: their streams compress better together. Where there are many
// bytes each rank is a part of its own, and all compress side by side.
[[nodiscard]] std::array<Part, kBlock> make_parts(std::span<const Member> block, std::uint64_t most_bytes) noexcept;

}  // namespace trikal::capture
