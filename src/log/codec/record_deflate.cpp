#include "log/codec/record_deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "log/codec/bit_writer.hpp"
#include "log/codec/prefix_code.hpp"

namespace trikal::log {
namespace {

constexpr std::size_t kShortestMatch = 3, kLongestMatch = 258, kFarthest = 32768;
constexpr std::size_t kLiterals = 286, kDistances = 30, kEnd = 256;
constexpr std::size_t kChunk = 16 * 1024;  // bytes through which a way is looked for at once
constexpr std::size_t kBlock = 24 * 1024;  // steps after which a block ends, and its codes with it
constexpr unsigned kHashBits = 12;
constexpr std::size_t kMostPlaces = 8;  // that are remembered of one hash
constexpr std::uint8_t kUnseen = 13;    // bits of a symbol that has not come yet

struct Slot {
  std::uint16_t base;
  std::uint8_t extra;
};

constexpr auto kLengthSlots = [] {
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
constexpr auto kSlotOfLength = [] {
  std::array<std::uint8_t, kLongestMatch + 1> slots{};
  for (std::size_t i = 0; i < kLengthSlots.size(); ++i) {
    for (std::size_t length = kLengthSlots[i].base; length <= kLongestMatch; ++length)
      slots[length] = static_cast<std::uint8_t>(i);
  }
  return slots;
}();
constexpr auto kDistanceSlots = [] {
  std::array<Slot, kDistances> slots{};
  std::uint16_t base = 1;
  for (std::size_t i = 0; i < kDistances; ++i) {
    const auto extra = static_cast<std::uint8_t>(i < 4 ? 0 : i / 2 - 1);
    slots[i] = {base, extra};
    base = static_cast<std::uint16_t>(base + (1U << extra));
  }
  return slots;
}();

std::size_t slot_of_distance(std::size_t distance) noexcept {
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

// What the way to a place costs in bits, and its last step, as one number: the smaller one is the better way.
constexpr std::uint64_t arrival(std::uint64_t cost, std::uint64_t length, std::uint64_t distance) noexcept {
  return cost << 32 | length << 16 | distance;
}
constexpr std::uint64_t cost_of(std::uint64_t arrival) noexcept { return arrival >> 32; }
constexpr Step step_of(std::uint64_t arrival) noexcept {
  return {static_cast<std::uint16_t>(arrival >> 16), static_cast<std::uint16_t>(arrival)};
}

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
  std::array<std::uint64_t, kChunk + 1> arrivals;  // at each place: by the cheapest way
  std::array<Step, kBlock + kChunk> steps;
  // Of each hash the last places that had it, the latest first: the number of the byte behind them, 0 for none.
  std::array<std::array<std::uint32_t, kMostPlaces>, 1U << kHashBits> last;
  Codes codes;
  Prices prices;
};
static_assert(sizeof(Memory) <= kRecordDeflateMemory);

std::size_t match_length(const std::byte* here, const std::byte* there, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length + 8 <= most) {
    const std::uint64_t differ = load_le<std::uint64_t>(here + length) ^ load_le<std::uint64_t>(there + length);
    if (differ != 0) return length + static_cast<std::size_t>(__builtin_ctzll(differ)) / 8;
    length += 8;
  }
  while (length < most && here[length] == there[length]) ++length;
  return length;
}

// The cheapest way through one chunk.
class Way {
 public:
  Way(Memory& memory, Bytes plain, const RecordEffort& effort) noexcept
      : memory_(memory),
        plain_(plain),
        stride_(effort.stride),
        places_(std::min(effort.places, kMostPlaces)),
        long_enough_(std::clamp(effort.long_enough, kShortestMatch, kLongestMatch)) {}

  // Writes its steps behind `steps` and answers with their number.
  std::size_t find(std::size_t begin, std::size_t end, Step* steps) noexcept {
    begin_ = begin, end_ = end;
    const std::size_t size = end - begin;
    std::fill_n(memory_.arrivals.begin(), size + 1, ~std::uint64_t{0});
    memory_.arrivals[0] = 0;
    for (std::size_t at = begin; at < end;) at += look_at(at);
    std::size_t count = 0;
    for (std::size_t at = size; at > 0; at -= steps[count++].length) steps[count] = step_of(memory_.arrivals[at]);
    std::reverse(steps, steps + count);
    return count;
  }

 private:
  // How far to go on.
  std::size_t look_at(std::size_t at) noexcept {
    const std::size_t place = at - begin_;
    const auto byte = static_cast<std::uint8_t>(plain_[at]);
    const std::uint64_t cost = cost_of(memory_.arrivals[place]);
    std::uint64_t& next = memory_.arrivals[place + 1];
    next = std::min(next, arrival(cost + memory_.prices.literals[byte], 1, byte));
    std::size_t longest = try_match(at, 1);
    if (stride_ > 0) longest = std::max(longest, try_match(at, stride_));
    if (longest < long_enough_ && at + 4 <= plain_.size()) longest = std::max(longest, try_places(at));
    return longest >= long_enough_ ? longest : 1;
  }

  std::size_t try_places(std::size_t at) noexcept {
    const std::uint32_t hash = (load_le<std::uint32_t>(plain_.data() + at) * 0x9e3779b1U) >> (32 - kHashBits);
    auto& last = memory_.last[hash];
    std::size_t longest = 0;
    auto behind = static_cast<std::uint32_t>(at + 1);
    for (std::size_t i = 0; i < places_ && behind != 0; ++i) {
      std::swap(behind, last[i]);
      if (behind != 0) longest = std::max(longest, try_match(at, at + 1 - behind));
    }
    return longest;
  }

  std::size_t try_match(std::size_t at, std::size_t distance) noexcept {
    if (distance > at || distance > kFarthest || distance == 0) return 0;
    const std::byte* here = plain_.data() + at;
    const std::size_t most = std::min(kLongestMatch, end_ - at);
    const std::size_t length = match_length(here, here - distance, most);
    if (length < kShortestMatch) return 0;
    const std::size_t place = at - begin_;
    const std::uint64_t cost = cost_of(memory_.arrivals[place]) + memory_.prices.distances[slot_of_distance(distance)];
    const std::uint64_t from = arrival(cost, 0, distance - 1);
    for (std::size_t i = length >= long_enough_ ? length : kShortestMatch; i <= length; ++i)
      memory_.arrivals[place + i] = std::min(memory_.arrivals[place + i], from + memory_.prices.lengths[i]);
    return length;
  }

  Memory& memory_;
  Bytes plain_;
  std::size_t stride_, places_, long_enough_;
  std::size_t begin_ = 0, end_ = 0;
};

// The lengths of a block's codes, as the block begins with them.
class CodeHead {
 public:
  explicit CodeHead(const Codes& codes) noexcept {
    literals_ = kLiterals;
    while (literals_ > 257 && codes.literals[literals_ - 1] == 0) --literals_;
    distances_ = kDistances;
    while (distances_ > 1 && codes.distances[distances_ - 1] == 0) --distances_;
    std::array<std::uint8_t, kLiterals + kDistances> all;  // NOLINT: filled right below
    std::copy_n(codes.literals.begin(), literals_, all.begin());
    std::copy_n(codes.distances.begin(), distances_, all.begin() + static_cast<std::ptrdiff_t>(literals_));
    for (std::size_t at = 0; at < literals_ + distances_;)
      at += put_run({all.data() + at, literals_ + distances_ - at});
    make_code_lengths(counts_, 7, lengths_);
    kept_ = kOrder.size();
    while (kept_ > 4 && lengths_[kOrder[kept_ - 1]] == 0) --kept_;
  }
  [[nodiscard]] std::size_t bits() const noexcept {
    std::size_t bits = 14 + 3 * kept_;
    for (const Item& item : std::span(items_).first(count_))
      bits += std::size_t{lengths_[item.symbol]} + item.extra_bits;
    return bits;
  }
  void write(BitWriter& out) const noexcept {
    std::array<std::uint16_t, 19> words;  // NOLINT
    make_code_words(lengths_, words);
    out.put(literals_ - 257, 5);
    out.put(distances_ - 1, 5);
    out.put(kept_ - 4, 4);
    for (std::size_t i = 0; i < kept_; ++i) out.put(lengths_[kOrder[i]], 3);
    for (const Item& item : std::span(items_).first(count_)) {
      out.put(words[item.symbol], lengths_[item.symbol]);
      out.put(item.extra, item.extra_bits);
    }
  }

 private:
  static constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
  struct Item {
    std::uint8_t symbol, extra, extra_bits;
  };
  std::size_t put_run(std::span<const std::uint8_t> rest) noexcept {
    std::size_t run = 1;
    while (run < rest.size() && rest[run] == rest[0]) ++run;
    if (rest[0] == 0 && run >= 11) return add(18, std::min<std::size_t>(run, 138), 11, 7);
    if (rest[0] == 0 && run >= 3) return add(17, run, 3, 3);
    add(rest[0], 0, 0, 0);
    if (rest[0] == 0 || run < 4) return 1;
    return 1 + add(16, std::min<std::size_t>(run - 1, 6), 3, 2);
  }
  std::size_t add(std::uint8_t symbol, std::size_t run, std::size_t least, std::uint8_t extra_bits) noexcept {
    items_[count_++] = {symbol, static_cast<std::uint8_t>(run - least), extra_bits};
    counts_[symbol] += 1;
    return run;
  }

  std::size_t literals_ = 0, distances_ = 0, kept_ = 0, count_ = 0;
  std::array<Item, kLiterals + kDistances> items_;
  std::array<std::uint32_t, 19> counts_{};
  std::array<std::uint8_t, 19> lengths_{};
};

void write_steps(std::span<const Step> steps, const Codes& codes, BitWriter& out) noexcept {
  std::array<std::uint16_t, kLiterals> literals;    // NOLINT: filled right below
  std::array<std::uint16_t, kDistances> distances;  // NOLINT
  make_code_words(codes.literals, literals);
  make_code_words(codes.distances, distances);
  for (const Step& step : steps) {
    if (step.length == 1) {
      out.put(literals[step.distance], codes.literals[step.distance]);
      continue;
    }
    const std::uint8_t length = kSlotOfLength[step.length];
    const std::size_t distance = slot_of_distance(step.distance + 1U);
    out.put(literals[257U + length], codes.literals[257U + length]);
    out.put(step.length - std::uint64_t{kLengthSlots[length].base}, kLengthSlots[length].extra);
    out.put(distances[distance], codes.distances[distance]);
    out.put(step.distance + 1U - std::uint64_t{kDistanceSlots[distance].base}, kDistanceSlots[distance].extra);
  }
  out.put(literals[kEnd], codes.literals[kEnd]);
}

std::size_t steps_bits(const Codes& codes) noexcept {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < kLiterals; ++i) {
    const unsigned extra = i > kEnd ? kLengthSlots[i - 257].extra : 0;
    bits += codes.literal_counts[i] * std::size_t{codes.literals[i] + extra};
  }
  for (std::size_t i = 0; i < kDistances; ++i)
    bits += codes.distance_counts[i] * std::size_t{codes.distances[i] + unsigned{kDistanceSlots[i].extra}};
  return bits;
}

void write_stored(Bytes plain, bool last, BitWriter& out) noexcept {
  constexpr std::size_t kMostStored = 65535;
  do {
    const Bytes now = plain.first(std::min(plain.size(), kMostStored));
    plain = plain.subspan(now.size());
    out.put(last && plain.empty() ? 1 : 0, 3);
    out.align();
    out.put(now.size(), 16);
    out.put(~now.size() & 0xffff, 16);
    out.put_bytes(now);
  } while (!plain.empty());
}

void write_block(Bytes plain, std::span<const Step> steps, const Codes& codes, bool last, BitWriter& out) noexcept {
  const CodeHead head(codes);
  if (steps.empty() || (head.bits() + steps_bits(codes)) / 8 > plain.size()) return write_stored(plain, last, out);
  out.put((last ? 1 : 0) + 4, 3);
  head.write(out);
  write_steps(steps, codes, out);
}

}  // namespace

std::size_t record_deflate(Bytes plain, const RecordEffort& effort, MutableBytes out, MutableBytes memory) noexcept {
  auto& work = *new (memory.data()) Memory;  // NOLINT: what is used of it is filled first
  BitWriter bits(out.data());
  bits.put(0x9c78, 16);  // a window of 32 KiB, as zlib says at its default level
  std::memset(&work.last, 0, sizeof work.last);
  work.prices.guess();
  work.codes.clear();
  Way way(work, plain, effort);
  std::size_t block = 0, count = 0, priced = 0;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(at + kChunk, plain.size());
    const std::span steps(work.steps.data() + count, kChunk);
    std::size_t found = way.find(at, end, steps.data());
    work.codes.take(steps.first(found));
    if (at == 0) {  // once more, now that something is known of the prices
      work.codes.make();
      work.prices.take(work.codes);
      work.codes.clear();
      found = way.find(at, end, steps.data());
      work.codes.take(steps.first(found));
    }
    at = end, count += found;
    const bool over = count >= kBlock || at == plain.size();
    if (over || count >= 2 * priced) {  // prices change less and less, and making codes takes time
      work.codes.make();
      work.prices.take(work.codes);
      priced = count;
    }
    if (!over) continue;
    write_block(plain.subspan(block, at - block), {work.steps.data(), count}, work.codes, at == plain.size(), bits);
    work.codes.clear();
    block = at, count = priced = 0;
  }
  if (plain.empty()) write_stored(plain, true, bits);
  bits.align();
  const auto sum = adler32_z(1, reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  bits.put(byteswap(static_cast<std::uint32_t>(sum)), 32);
  return static_cast<std::size_t>(bits.at() - out.data());
}

}  // namespace trikal::log
