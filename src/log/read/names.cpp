#include "log/read/names.hpp"

namespace trikal::log {

std::size_t NameTable::slot_for(std::uint64_t id) const {
  const std::size_t mask = slots_.size() - 1;
  // Ids are hashes already, but a hostile log may choose them: spread them once more.
  std::size_t slot = static_cast<std::size_t>((id * 0x9e3779b97f4a7c15ULL) >> 20) & mask;
  while (slots_[slot] != 0 && entries_[slots_[slot] - 1].id != id) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_for(entries_[i].id)] = i + 1;
}

void NameTable::add(std::uint64_t id, std::string_view name) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_for(id);
  if (slots_[slot] != 0) {
    Entry& known = entries_[slots_[slot] - 1];
    if (known.length > 0 || name.empty()) return;
    known.at = text_.size(), known.length = static_cast<std::uint32_t>(name.size());
  } else {
    entries_.push_back({id, text_.size(), static_cast<std::uint32_t>(name.size())});
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  }
  text_ += name;
}

const NameTable::Entry* NameTable::find(std::uint64_t id) const {
  if (slots_.empty()) return nullptr;
  const std::uint32_t index = slots_[slot_for(id)];
  return index == 0 ? nullptr : &entries_[index - 1];
}

std::uint64_t NameTable::bytes() const {
  return entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(std::uint32_t) + text_.capacity();
}

}  // namespace trikal::log
