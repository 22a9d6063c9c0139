#include "analyze/compare/shelf.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace trikal::analyze {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Ids are hashes, but a log can say anything: spread them ourselves. Ranks take part, since thousands of them
// may share one file.
std::uint64_t hash_of(RecordKey key) { return mix(key.file + mix(static_cast<std::uint64_t>(key.rank) + 1)); }

}  // namespace

void Shelf::open() {
  if (started_) {
    from_ = to_ + 1;
    to_ = width_ < kLast - from_ ? from_ + width_ : kLast;
  }
  started_ = true;
  blocks_.clear();
  entries_.clear();
  held_ = 0;
}

bool Shelf::covers(RecordKey key) const {
  const std::uint64_t at = hash_of(key);
  return from_ <= at && at <= to_;
}

bool Shelf::fits(std::uint64_t more) const {
  const bool new_block = blocks_.empty() || blocks_.back().size - blocks_.back().used < more;
  const std::uint64_t bytes = held_ + (new_block ? std::max(more, std::min(kBlock, budget_ / 8)) : 0);
  const std::uint64_t table = (entries_.size() < entries_.capacity() ? entries_.capacity() : 3 * entries_.size() + 1);
  return entries_.size() < std::numeric_limits<std::uint32_t>::max() && bytes + table * sizeof(Entry) <= budget_;
}

std::byte* Shelf::reserve(std::uint64_t bytes) {
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < bytes) {
    const std::uint64_t size = std::max(bytes, std::min(kBlock, budget_ / 8));
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size, 0});
    held_ += size;
  }
  Block& block = blocks_.back();
  std::byte* at = block.bytes.get() + block.used;
  block.used += bytes;
  return at;
}

// Half the range, and nothing outside of it. Entries are in order of their blocks, so old blocks go one by one.
void Shelf::narrow() {
  width_ = (to_ - from_) / 2;
  to_ = from_ + width_;
  std::vector<Block> old = std::move(blocks_);
  std::vector<Entry> entries = std::move(entries_);
  blocks_.clear();
  entries_.clear();
  held_ = 0;
  std::size_t block = 0;
  for (const Entry& entry : entries) {
    while (entry.at < old[block].bytes.get() || entry.at >= old[block].bytes.get() + old[block].size) {
      old[block++].bytes.reset();
    }
    if (!covers(entry.key)) continue;
    std::byte* at = reserve(entry.size);
    std::memcpy(at, entry.at, entry.size);
    entries_.push_back({entry.key, at, entry.size, entry.order, 0});
  }
}

Status Shelf::add(RecordKey key, Bytes record) {
  while (covers(key) && !fits(record.size())) {
    if (entries_.empty() || to_ - from_ <= kNarrowest) {
      return Error{.code = ErrorCode::kLimit, .what = "the records to compare do not fit into memory"};
    }
    narrow();
  }
  if (!covers(key)) return {};
  std::byte* at = reserve(record.size());
  std::memcpy(at, record.data(), record.size());
  const auto order = static_cast<std::uint32_t>(entries_.empty() ? 0 : entries_.back().order + 1);
  entries_.push_back({key, at, record.size(), order, 0});
  return {};
}

void Shelf::seal() {
  std::ranges::sort(entries_,
                    [](const Entry& x, const Entry& y) { return x.key != y.key ? x.key < y.key : x.order < y.order; });
}

Bytes Shelf::take(RecordKey key) {
  const auto first = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
  if (first == entries_.end() || first->key != key) return {};
  if (first->taken >= static_cast<std::uint64_t>(entries_.end() - first)) return {};
  const auto next = first + static_cast<std::ptrdiff_t>(first->taken);
  if (next->key != key) return {};
  ++first->taken;
  return {next->at, next->size};
}

std::vector<Bytes> Shelf::leftovers() {
  std::vector<Entry> left;
  for (auto group = entries_.begin(); group != entries_.end();) {
    const std::uint32_t taken = group->taken;
    const RecordKey key = group->key;
    std::uint32_t number = 0;
    for (; group != entries_.end() && group->key == key; ++group) {
      if (number++ >= taken) left.push_back(*group);
    }
  }
  std::ranges::sort(left, {}, &Entry::order);
  std::vector<Bytes> records;
  records.reserve(left.size());
  for (const Entry& entry : left) records.emplace_back(entry.at, entry.size);
  return records;
}

}  // namespace trikal::analyze
