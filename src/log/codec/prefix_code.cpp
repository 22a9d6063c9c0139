#include "log/codec/prefix_code.hpp"

#include <algorithm>
#include <array>

namespace trikal::log {
namespace {

constexpr unsigned kLongest = 15;
using LengthCounts = std::array<std::uint32_t, kLongest + 1>;

struct Leaf {
  std::uint32_t count;
  std::uint32_t symbol;
};

// How deep each leaf of Huffman's tree is; `leaves` ascend. Trees wait in the order in which they were made, which is
// that of their weight, so the lightest two are always in front of one of two queues.
void find_depths(std::span<const Leaf> leaves, std::span<std::uint16_t> depths) noexcept {
  std::array<std::uint64_t, kMostSymbols> weights;         // NOLINT: of trees, filled below
  std::array<std::uint16_t, 2 * kMostSymbols> parents{};  // of leaves, then of trees
  const std::size_t count = leaves.size();
  std::size_t leaf = 0, tree = 0;
  for (std::size_t made = 0; made + 1 < count; ++made) {
    std::uint64_t weight = 0;
    for (int i = 0; i < 2; ++i) {
      const bool take_leaf = leaf < count && (tree >= made || leaves[leaf].count <= weights[tree]);
      weight += take_leaf ? leaves[leaf].count : weights[tree];
      parents[take_leaf ? leaf++ : count + tree++] = static_cast<std::uint16_t>(count + made);
    }
    weights[made] = weight;
  }
  std::array<std::uint16_t, kMostSymbols> tree_depths{};
  for (std::size_t i = count - 1; i-- > 0;) {
    if (i + 2 < count) tree_depths[i] = static_cast<std::uint16_t>(tree_depths[parents[count + i] - count] + 1);
  }
  for (std::size_t i = 0; i < count; ++i) depths[i] = static_cast<std::uint16_t>(tree_depths[parents[i] - count] + 1);
}

// Words that are too long are cut; others become longer until all fit, and then shorter while codes are left.
void fit_lengths(LengthCounts& lengths, unsigned longest) noexcept {
  const std::int64_t all_codes = std::int64_t{1} << longest;
  std::int64_t taken = 0;
  for (unsigned i = 1; i <= longest; ++i) taken += std::int64_t{lengths[i]} << (longest - i);
  while (taken > all_codes) {
    unsigned at = longest - 1;
    while (lengths[at] == 0) --at;
    lengths[at] -= 1, lengths[at + 1] += 1;
    taken -= std::int64_t{1} << (longest - at - 1);
  }
  while (taken < all_codes) {
    unsigned at = 2;  // the shortest that fits into what is left
    while (lengths[at] == 0 || std::int64_t{1} << (longest - at) > all_codes - taken) ++at;
    lengths[at] -= 1, lengths[at - 1] += 1;
    taken += std::int64_t{1} << (longest - at);
  }
}

}  // namespace

void make_code_lengths(std::span<std::uint32_t> counts, unsigned longest, std::span<std::uint8_t> lengths) noexcept {
  const auto used = static_cast<std::size_t>(std::ranges::count_if(counts, [](std::uint32_t n) { return n > 0; }));
  for (std::size_t i = 0, missing = used < 2 ? 2 - used : 0; missing > 0; ++i) {
    if (counts[i] == 0) counts[i] = 1, --missing;
  }
  std::array<Leaf, kMostSymbols> leaves;  // NOLINT: filled right below
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    lengths[i] = 0;
    if (counts[i] > 0) leaves[count++] = {counts[i], i};
  }
  std::sort(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Leaf& a, const Leaf& b) { return a.count != b.count ? a.count < b.count : a.symbol < b.symbol; });
  std::array<std::uint16_t, kMostSymbols> depths;  // NOLINT
  find_depths({leaves.data(), count}, depths);
  LengthCounts of_length{};
  for (std::size_t i = 0; i < count; ++i) of_length[std::min<unsigned>(depths[i], longest)] += 1;
  fit_lengths(of_length, longest);
  std::size_t next = 0;
  for (unsigned length = longest; length > 0; --length) {
    for (std::uint32_t i = 0; i < of_length[length]; ++i)
      lengths[leaves[next++].symbol] = static_cast<std::uint8_t>(length);
  }
}

void make_code_words(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> words) noexcept {
  LengthCounts of_length{}, next{};
  for (const std::uint8_t length : lengths) of_length[length] += 1;
  of_length[0] = 0;
  for (unsigned i = 1; i <= kLongest; ++i) next[i] = (next[i - 1] + of_length[i - 1]) << 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::uint32_t word = next[lengths[i]]++, reversed = 0;
    for (unsigned bit = 0; bit < lengths[i]; ++bit, word >>= 1) reversed = reversed << 1 | (word & 1);
    words[i] = static_cast<std::uint16_t>(reversed);
  }
}

}  // namespace trikal::log
