#include "gather/compact_map.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace trikal::gather {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::Header;
using log::crash::kHeaderBytes;

constexpr std::size_t kWord = 8, kGroup = 64;  // words that share a mask

// A part of a map that is compared with the same part of another: the header, then each chunk.
struct Part {
  std::size_t at = 0, bytes = 0;
};

std::vector<Part> parts_of(Bytes map) {
  std::vector<Part> parts;
  if (map.size() < kHeaderBytes) return parts;
  parts.push_back({0, kHeaderBytes});
  for (std::size_t at = kHeaderBytes; map.size() - at >= log::crash::kChunkHeader;) {
    const std::size_t bytes = reinterpret_cast<const Chunk*>(map.data() + at)->bytes;
    if (bytes < log::crash::kChunkHeader || bytes > map.size() - at || bytes % kWord != 0) break;
    parts.push_back({at, bytes});
    at += bytes;
  }
  return parts;
}

void put_number(std::uint64_t number, std::vector<std::byte>& into) {
  const std::size_t at = into.size();
  into.resize(at + kWord);
  store(into.data() + at, number);
}

// The words of a part that differ: of each group with any its number, a mask, the words.
void put_part(Bytes part, Bytes base, std::vector<std::byte>& into) {
  const std::size_t words = part.size() / kWord, known = base.size() / kWord;
  for (std::size_t first = 0; first < words; first += kGroup) {
    std::uint64_t mask = 0;
    const std::size_t count = std::min(kGroup, words - first), begin = into.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto word = load<std::uint64_t>(part.data() + (first + i) * kWord);
      const auto before = first + i < known ? load<std::uint64_t>(base.data() + (first + i) * kWord) : 0;
      if (word == before) continue;
      if (mask == 0) put_number(first / kGroup, into), put_number(0, into);
      mask |= std::uint64_t{1} << i;
      put_number(word, into);
    }
    if (mask != 0) store(into.data() + begin + kWord, mask);
  }
}

// Takes words off the front of a difference.
class Words {
 public:
  explicit Words(Bytes bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t left() const { return bytes_.size() / kWord; }
  std::uint64_t next() {
    const auto word = load<std::uint64_t>(bytes_.data());
    bytes_ = bytes_.subspan(kWord);
    return word;
  }

 private:
  Bytes bytes_;
};

bool apply_groups(std::byte* part, std::size_t words, Words difference) {
  while (difference.left() >= 2) {
    const std::uint64_t group = difference.next(), mask = difference.next();
    if (group > words / kGroup || difference.left() < static_cast<std::size_t>(std::popcount(mask))) return false;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      const std::size_t at = group * kGroup + static_cast<std::size_t>(std::countr_zero(rest));
      if (at >= words) return false;
      store(part + at * kWord, difference.next());
    }
  }
  return difference.left() == 0;
}

}  // namespace

std::vector<std::byte> trimmed(const log::crash::MapView& map) {
  std::vector<std::byte> out(kHeaderBytes);
  std::memcpy(out.data(), &map.header(), sizeof(Header));
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    const auto count = static_cast<std::uint32_t>(slots.size() / std::max<std::uint32_t>(chunk.stride, 1));
    const std::uint64_t bytes = log::crash::chunk_bytes(chunk.stride, count);
    if (chunk.kind == ChunkKind::kOther || count == 0 || bytes > UINT32_MAX) return;
    const std::size_t at = out.size();
    out.resize(at + static_cast<std::size_t>(bytes));
    new (out.data() + at) Chunk{chunk.kind,
                                chunk.module,
                                chunk.stride,
                                chunk.record_bytes,
                                count,
                                {count},
                                static_cast<std::uint32_t>(bytes),
                                log::crash::kChunkMark};
    std::memcpy(out.data() + at + log::crash::kChunkHeader, slots.data(), std::size_t{count} * chunk.stride);
  });
  reinterpret_cast<Header*>(out.data())->used.store(out.size(), std::memory_order_relaxed);
  return out;
}

// Part by part: how many bytes it has, how many its difference, the difference.
void put_difference(Bytes map, Bytes base, std::vector<std::byte>& into) {
  const std::vector<Part> parts = parts_of(map), others = parts_of(base);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Bytes other = i < others.size() ? base.subspan(others[i].at, others[i].bytes) : Bytes{};
    const std::size_t begin = into.size();
    put_number(parts[i].bytes, into);
    put_number(0, into);
    put_part(map.subspan(parts[i].at, parts[i].bytes), other, into);
    store(into.data() + begin + kWord, std::uint64_t{into.size() - begin - 2 * kWord});
  }
}

std::optional<std::vector<std::byte>> with_difference(Bytes base, Bytes difference, std::size_t most) {
  const std::vector<Part> others = parts_of(base);
  std::vector<std::byte> map;
  for (std::size_t i = 0; !difference.empty(); ++i) {
    if (difference.size() < 2 * kWord) return std::nullopt;
    const auto bytes = load<std::uint64_t>(difference.data()), length = load<std::uint64_t>(difference.data() + kWord);
    difference = difference.subspan(2 * kWord);
    const bool sound = bytes % kWord == 0 && length % kWord == 0 && length <= difference.size();
    if (!sound || bytes > most - map.size()) return std::nullopt;
    const std::size_t at = map.size();
    map.resize(at + bytes);
    if (i < others.size()) std::memcpy(map.data() + at, base.data() + others[i].at, std::min(bytes, others[i].bytes));
    if (!apply_groups(map.data() + at, bytes / kWord, Words(difference.first(length)))) return std::nullopt;
    difference = difference.subspan(length);
  }
  return map;
}

}  // namespace trikal::gather
