#pragma once
// Part of record_deflate: the cheapest way through records, as steps that are literals or matches.

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.hpp"
#include "log/codec/prefix_code.hpp"
#include "log/codec/record_deflate.hpp"

namespace trikal::log {

inline constexpr std::size_t kShortestMatch = 3, kLongestMatch = 258, kFarthest = 32768;
inline constexpr std::size_t kLiterals = 286, kDistances = 30, kEnd = 256;
inline constexpr std::size_t kChunk = 16 * 1024;  // bytes through which a way is looked for at once
inline constexpr std::size_t kBlock = 24 * 1024;  // steps after which a block ends, and its codes with it
inline constexpr unsigned kHashBits = 12;
inline constexpr std::size_t kMostPositions = 8;  // that are remembered of one hash
inline constexpr std::uint8_t kUnseen = 13;    // bits of a symbol that has not come yet

struct Slot {
  std::uint16_t base;
  std::uint8_t extra;
};

inline constexpr auto kLengthSlots = [] {
  std::array<Slot, 29> slots{};
  std::uint16_t base = kShortestMatch;
  for (std::size_t i = 0; i < 28; ++i) {
    const auto extra = static_cast<std::uint8_t>(i < 8 ? 0 : i / 4 - 1);
    slots[i] = {base, extra};
    base = static_cast<std::uint16_t>(base + (1U << extra));
  }
  slots[28] = {kLongestMatch, 0};
  return slots;
}();
inline constexpr auto kSlotOfLength = [] {
  std::array<std::uint8_t, kLongestMatch + 1> slots{};
  for (std::size_t i = 0; i < kLengthSlots.size(); ++i) {
    for (std::size_t length = kLengthSlots[i].base; length <= kLongestMatch; ++length)
      slots[length] = static_cast<std::uint8_t>(i);
  }
  return slots;
}();
inline constexpr auto kDistanceSlots = [] {
  std::array<Slot, kDistances> slots{};
  std::uint16_t base = 1;
  for (std::size_t i = 0; i < kDistances; ++i) {
    const auto extra = static_cast<std::uint8_t>(i < 4 ? 0 : i / 2 - 1);
    slots[i] = {base, extra};
    base = static_cast<std::uint16_t>(base + (1U << extra));
  }
  return slots;
}();

inline std::size_t slot_of_distance(std::size_t distance) noexcept {
  const auto before = static_cast<std::uint32_t>(distance - 1);
  if (before < 4) return before;
  const auto high = static_cast<unsigned>(31 - __builtin_clz(before));
  return 2 * high + ((before >> (high - 1)) & 1);
}

// A literal (length 1) or a match.
struct Step {
  std::uint16_t length;
  std::uint16_t distance;  // less 1; of a literal: the byte
};

// What the way to a position costs in bits, and its last step, as one number: the smaller one is the better way.
constexpr std::uint64_t arrival(std::uint64_t cost, std::uint64_t length, std::uint64_t distance) noexcept {
  return cost << 32 | length << 16 | distance;
}
constexpr std::uint64_t cost_of(std::uint64_t arrival) noexcept { return arrival >> 32; }
constexpr Step step_of(std::uint64_t arrival) noexcept {
  return {static_cast<std::uint16_t>(arrival >> 16), static_cast<std::uint16_t>(arrival)};
}

inline constexpr std::uint64_t kNoWay = ~std::uint64_t{0};

struct Codes {
  std::array<std::uint32_t, kLiterals> literal_counts;
  std::array<std::uint32_t, kDistances> distance_counts;
  std::array<std::uint8_t, kLiterals> literals;
  std::array<std::uint8_t, kDistances> distances;

  void clear() noexcept { literal_counts.fill(0), distance_counts.fill(0); }
  void count(const Step& step) noexcept {
    if (step.length == 1) {
      literal_counts[step.distance] += 1;
      return;
    }
    literal_counts[257U + kSlotOfLength[step.length]] += 1;
    distance_counts[slot_of_distance(step.distance + 1U)] += 1;
  }
  void take(std::span<const Step> steps) noexcept {
    for (const Step& step : steps) count(step);
  }
  void make() noexcept {
    literal_counts[kEnd] = 1;
    make_code_lengths(literal_counts, 15, literals);
    make_code_lengths(distance_counts, 15, distances);
  }
};

// What a step costs, in bits, as far as is known.
struct Prices {
  std::array<std::uint8_t, 256> literals;
  std::array<std::uint64_t, kLongestMatch + 1> lengths;  // as an arrival from nowhere
  std::array<std::uint8_t, kDistances> distances;

  void guess() noexcept {
    literals.fill(7);
    for (std::size_t i = kShortestMatch; i <= kLongestMatch; ++i)
      lengths[i] = arrival(5U + kLengthSlots[kSlotOfLength[i]].extra, i, 0);
    for (std::size_t i = 0; i < kDistances; ++i) distances[i] = static_cast<std::uint8_t>(4 + kDistanceSlots[i].extra);
  }
  void take(const Codes& codes) noexcept {
    const auto bits = [](std::uint8_t length) { return length != 0 ? length : kUnseen; };
    for (std::size_t i = 0; i < literals.size(); ++i) literals[i] = bits(codes.literals[i]);
    for (std::size_t i = kShortestMatch; i <= kLongestMatch; ++i) {
      const std::uint8_t slot = kSlotOfLength[i];
      lengths[i] = arrival(bits(codes.literals[257U + slot]) + std::uint64_t{kLengthSlots[slot].extra}, i, 0);
    }
    for (std::size_t i = 0; i < kDistances; ++i)
      distances[i] = static_cast<std::uint8_t>(bits(codes.distances[i]) + kDistanceSlots[i].extra);
  }
};

struct Memory {
  std::array<std::uint64_t, kChunk + 1> arrivals;  // at each position of an island: by the cheapest way
  std::array<Step, kBlock + kChunk> steps;
  // Of each hash the last positions that had it, the latest first: the number of the byte behind them, 0 for none. As many
  // of each as the effort asks for, side by side.
  std::array<std::uint32_t, kMostPositions << kHashBits> last;
  Codes codes;
  Prices prices;
};
static_assert(sizeof(Memory) <= kRecordDeflateMemory);

inline std::size_t match_length(const std::byte* here, const std::byte* there, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length + 8 <= most) {
    const std::uint64_t differ = load_le<std::uint64_t>(here + length) ^ load_le<std::uint64_t>(there + length);
    if (differ != 0) return length + static_cast<std::size_t>(__builtin_ctzll(differ)) / 8;
    length += 8;
  }
  while (length < most && here[length] == there[length]) ++length;
  return length;
}

// The cheapest way through one chunk. Where a match is long enough it is taken, and what was before it is settled: so the
// way goes from island to island, and ways are compared within one of them only. Most are a few words long, and
// what is remembered of them stays in the nearest cache.
class Way {
 public:
  Way(Memory& memory, Bytes plain, const RecordEffort& effort) noexcept
      : memory_(memory),
        plain_(plain),
        stride_(effort.stride > 1 && effort.stride <= kFarthest ? effort.stride : 0),
        positions_(std::min(effort.positions, kMostPositions)),
        long_enough_(std::clamp(effort.long_enough, kShortestMatch, kLongestMatch)),
        skipped_(std::max(effort.skipped, kShortestMatch)) {
    std::fill_n(memory_.last.begin(), positions_ << kHashBits, 0U);
  }

  // Writes its steps to `steps` and answers with their number.
  std::size_t find(std::size_t begin, std::size_t end, Step* steps) noexcept {
    end_ = end;
    run_.price = memory_.prices.distances[slot_of_distance(1)];
    if (stride_ > 0) record_.price = memory_.prices.distances[slot_of_distance(stride_)];
    std::size_t count = 0;
    for (std::size_t at = begin; at < end;) {
      const Step bridge = cross(at);
      count += settle(size_, steps + count);
      if (bridge.length > 0) steps[count++] = bridge;
      at += size_ + bridge.length;
    }
    return count;
  }

 private:
  // A distance that is tried everywhere: how far bytes are the same there, which need not be asked at each of them.
  struct Same {
    std::uint64_t price = 0;
    std::size_t end = 0;  // the first byte that differs, or as far as was looked
    std::size_t length = 0;  // from here
  };
  // The ways within an island.
  struct Ways {
    std::uint64_t* arrivals;  // from where we are
    std::size_t known;  // how far ahead there are any

    void arrive(std::size_t ahead, std::uint64_t how) noexcept {
      arrivals[ahead] = ahead <= known ? std::min(arrivals[ahead], how) : how;
      if (ahead > known) known = ahead;
    }
    // By matches of more than `from` and up to `to` bytes.
    void jump(std::uint64_t how, const std::uint64_t* lengths, std::size_t from, std::size_t to) noexcept {
      if (from >= to) return;
      if (known < 2) arrivals[2] = kNoWay, known = 2;
      std::size_t i = from + 1;
      for (const std::size_t old = std::min(to, known); i <= old; ++i)
        arrivals[i] = std::min(arrivals[i], how + lengths[i]);
      for (; i <= to; ++i) arrivals[i] = how + lengths[i];
      known = std::max(known, to);
    }
  };

  // The way to the end of an island, as steps.
  std::size_t settle(std::size_t size, Step* steps) noexcept {
    std::size_t count = 0;
    for (std::size_t at = size; at > 0; at -= steps[count++].length) steps[count] = step_of(memory_.arrivals[at]);
    std::reverse(steps, steps + count);
    return count;
  }

  void look(Same& same, std::size_t distance, std::size_t at) const noexcept {
    if (same.end <= at) {
      const std::byte* here = plain_.data() + at;
      same.end = at + (at < distance ? 0 : match_length(here, here - distance, std::min(kLongestMatch, end_ - at)));
    }
    same.length = same.end - at;
  }

  // Finds the ways from `begin` on until a match is long enough, which is the answer, or the chunk is over.
  Step cross(std::size_t begin) noexcept {
    Ways ways{memory_.arrivals.data(), 0};
    ways.arrivals[0] = 0;
    run_.end = record_.end = 0;
    for (std::size_t at = begin; at < end_;) {
      size_ = at - begin;
      look(run_, 1, at);
      if (stride_ > 0) look(record_, stride_, at);
      const bool by_run = run_.length > record_.length || (run_.length == record_.length && run_.price < record_.price);
      Step longest = by_run ? step(run_.length, 1) : step(record_.length, stride_);
      if (longest.length >= long_enough_) return longest;
      leave(at, ways);
      if (at + 4 <= plain_.size()) {
        const Step found = try_positions(at, ways);
        if (found.length >= long_enough_) return found;
        if (found.length > longest.length) longest = found;
      }
      const std::size_t next = longest.length >= skipped_ ? longest.length : 1;
      for (std::size_t i = 1; i < next; ++i) remember(at + i);
      at += next, ways.arrivals += next, ways.known -= next;
    }
    size_ = end_ - begin;
    return {};
  }

  static Step step(std::size_t length, std::size_t distance) noexcept {
    return {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(distance - 1)};
  }

  // On from here by a literal, by a run and by what the record before has.
  void leave(std::size_t at, Ways& ways) noexcept {
    const Prices& prices = memory_.prices;
    const std::uint64_t cost = cost_of(ways.arrivals[0]);
    const auto byte = static_cast<std::uint8_t>(plain_[at]);
    ways.arrive(1, arrival(cost + prices.literals[byte], 1, byte));
    constexpr std::size_t kNone = kShortestMatch - 1;
    ways.jump(arrival(cost + run_.price, 0, 0), prices.lengths.data(), kNone, run_.length);
    const std::size_t cheaper = run_.price <= record_.price ? std::max(run_.length, kNone) : kNone;
    ways.jump(arrival(cost + record_.price, 0, stride_ - 1), prices.lengths.data(), cheaper, record_.length);
  }

  // Of all that began with the same four bytes.
  [[nodiscard]] std::uint32_t* positions_of(std::uint32_t head) noexcept {
    return &memory_.last[((head * 0x9e3779b1U) >> (32 - kHashBits)) * positions_];
  }
  void remember(std::size_t at) noexcept {
    if (at + 4 > plain_.size()) return;
    std::uint32_t* last = positions_of(load_le<std::uint32_t>(plain_.data() + at));
    auto behind = static_cast<std::uint32_t>(at + 1);
    for (std::size_t i = 0; i < positions_; ++i) std::swap(behind, last[i]);
  }

  // On from here by what began alike; answers with the longest of these matches.
  Step try_positions(std::size_t at, Ways& ways) noexcept {
    const std::byte* here = plain_.data() + at;
    const auto head = load_le<std::uint32_t>(here);
    const std::uint64_t cost = cost_of(ways.arrivals[0]);
    std::uint32_t* last = positions_of(head);
    auto behind = static_cast<std::uint32_t>(at + 1);
    Step best{0, 0};
    for (std::size_t i = 0; i < positions_ && behind != 0; ++i) {
      std::swap(behind, last[i]);
      const std::size_t distance = at + 1 - behind;  // huge if that is ahead: the first chunk is gone through twice
      if (behind == 0 || distance - 2 > kFarthest - 2 || distance == stride_) continue;
      if (load_le<std::uint32_t>(here - distance) != head) continue;
      const std::size_t length = match_length(here, here - distance, std::min(kLongestMatch, end_ - at));
      const std::uint64_t price = memory_.prices.distances[slot_of_distance(distance)];
      std::size_t cheaper = std::max<std::size_t>(kShortestMatch - 1, best.length);
      if (run_.price <= price) cheaper = std::max(cheaper, run_.length);
      if (record_.price <= price) cheaper = std::max(cheaper, record_.length);
      if (length <= cheaper) continue;
      ways.jump(arrival(cost + price, 0, distance - 1), memory_.prices.lengths.data(), cheaper, length);
      best = step(length, distance);
    }
    return best;
  }

  Memory& memory_;
  Bytes plain_;
  std::size_t stride_, positions_, long_enough_, skipped_;
  std::size_t end_ = 0;  // of the chunk
  std::size_t size_ = 0;  // of the island
  Same run_, record_;
};

}  // namespace trikal::log
