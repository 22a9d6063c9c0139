#include "log/codec/record_deflate.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "log/codec/bit_writer.hpp"
#include "log/codec/prefix_code.hpp"
#include "log/codec/record_way.hpp"

namespace trikal::log {
namespace {

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
    // At most 48 bits for all four, so that they can go together.
    std::uint64_t bits = literals[257U + length];
    unsigned count = codes.literals[257U + length];
    bits |= (step.length - std::uint64_t{kLengthSlots[length].base}) << count;
    count += kLengthSlots[length].extra;
    bits |= std::uint64_t{distances[distance]} << count;
    count += codes.distances[distance];
    bits |= (step.distance + 1U - std::uint64_t{kDistanceSlots[distance].base}) << count;
    out.put(bits, count + kDistanceSlots[distance].extra);
  }
  out.put(literals[kEnd], codes.literals[kEnd]);
}

// Adler's checksum, eight bytes at a time: records are mostly zeros, which only the second sum sees.
std::uint32_t checksum(Bytes plain) noexcept {
  constexpr std::uint64_t kModulus = 65521, kEven = 0x00ff00ff00ff00ff;
  constexpr std::size_t kAtOnce = 64 * 1024;  // bytes until the sums have to be made small again
  std::uint64_t first = 1, second = 0;
  while (!plain.empty()) {
    const Bytes now = plain.first(std::min(plain.size(), kAtOnce));
    std::size_t at = 0;
    for (; at + 8 <= now.size(); at += 8) {
      const auto word = load_le<std::uint64_t>(now.data() + at);
      second += 8 * first;
      if (word == 0) continue;
      const std::uint64_t even = word & kEven, odd = (word >> 8) & kEven;
      // The highest of four sums of sixteen bits: of all bytes, and of each as often as it will have been added.
      first += ((even + odd) * 0x0001000100010001) >> 48;
      second += (even * 0x0008000600040002 + odd * 0x0007000500030001) >> 48;
    }
    for (; at < now.size(); ++at) first += static_cast<std::uint8_t>(now[at]), second += first;
    first %= kModulus, second %= kModulus;
    plain = plain.subspan(now.size());
  }
  return static_cast<std::uint32_t>(second << 16 | first);
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
    if (over || count >= 4 * priced) {  // prices change less and less, and making codes takes time
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
  bits.put(byteswap(checksum(plain)), 32);
  return static_cast<std::size_t>(bits.at() - out.data());
}

}  // namespace trikal::log
