#include "log/read/names.hpp"

#include <algorithm>
#include <limits>

namespace trikal::log {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kFirstTable = kFirstSlots * sizeof(std::uint32_t) + kFirstSlots / 2 * sizeof(NameTable::Entry);
constexpr std::size_t kFirstChunk = 4096;
constexpr std::size_t kLargestChunk = std::size_t{1} << 20;

}  // namespace

std::size_t NameTable::slot_for(std::uint64_t id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_(id) & mask;
  while (slots_[slot] != 0 && entries_[slots_[slot] - 1].id != id) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::grow() {
  slots_ = std::vector<std::uint32_t>(slots_.empty() ? kFirstSlots : slots_.size() * 2);
  entries_.reserve(slots_.size() / 2);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_for(entries_[i].id)] = i + 1;
}

void NameTable::add(std::uint64_t id, std::string_view name) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_for(id);
  if (slots_[slot] != 0) {
    Entry& known = entries_[slots_[slot] - 1];
    if (known.length > 0 || name.empty()) return;
    known.at = keep(name), known.length = static_cast<std::uint32_t>(name.size());
  } else {
    entries_.push_back({id, keep(name), static_cast<std::uint32_t>(name.size())});
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  }
}

std::size_t NameTable::next_chunk(std::size_t name_bytes) const {
  if (name_bytes <= free_bytes_) return 0;
  const auto usual = static_cast<std::size_t>(std::clamp<std::uint64_t>(chunk_bytes_, kFirstChunk, kLargestChunk));
  return std::max(name_bytes, usual);
}

const char* NameTable::keep(std::string_view name) {
  if (const std::size_t size = next_chunk(name.size()); size > 0) {
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    free_ = chunks_.back().get(), free_bytes_ = size;
    chunk_bytes_ += size;
  }
  char* const kept = free_;
  name.copy(kept, name.size());
  free_ += name.size(), free_bytes_ -= name.size();
  return kept;
}

const NameTable::Entry* NameTable::find(std::uint64_t id) const {
  if (slots_.empty()) return nullptr;
  const std::uint32_t index = slots_[slot_for(id)];
  return index == 0 ? nullptr : &entries_[index - 1];
}

std::uint64_t NameTable::bytes() const {
  return entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(std::uint32_t) + chunk_bytes_;
}

std::uint64_t NameTable::bytes_after(std::size_t name_bytes) const {
  if (entries_.size() >= std::numeric_limits<std::uint32_t>::max() - 1) return ~std::uint64_t{0};
  const std::uint64_t text = next_chunk(name_bytes);
  const bool grows = entries_.size() * 2 >= slots_.size();
  const std::uint64_t table = grows ? std::max<std::uint64_t>(bytes() - chunk_bytes_, kFirstTable) : 0;  // it doubles
  return bytes() + table + text;
}

}  // namespace trikal::log
