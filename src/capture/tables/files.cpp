#include "capture/tables/files.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kFilesAtOnce = 512;
constexpr std::uint32_t kNameChunk = 16 * 1024;
constexpr std::uint32_t kLongestName = 8 * 1024;

}  // namespace

void Files::begin_again(Arena& arena) noexcept {
  arena_ = &arena;
  lock_.reset();
  table_ = nullptr, slots_ = 0, count_ = 0;
  names_ = nullptr;
  pool_ = nullptr, pool_left_ = 0;
}

Files::Entry* Files::entry_for(std::uint64_t id) const noexcept {
  const std::size_t mask = slots_ - 1;
  std::size_t at = static_cast<std::size_t>(id >> 16) & mask;
  while (table_[at].file != nullptr && table_[at].id != id) at = (at + 1) & mask;
  return &table_[at];
}

bool Files::grow() noexcept {
  const Entry* old = table_;
  const std::size_t old_slots = slots_;
  const std::size_t slots = old_slots == 0 ? kFirstSlots : 2 * old_slots;
  auto* table = static_cast<Entry*>(private_pages(slots * sizeof(Entry), Pages::kNow));
  if (table == nullptr) return false;
  table_ = table, slots_ = slots;
  for (std::size_t i = 0; i < old_slots; ++i) {
    if (old[i].file != nullptr) *entry_for(old[i].id) = old[i];
  }
  return true;
}

// Names are written for the log as they are met: u64 id, u32 length, bytes, padded to 8.
const char* Files::keep_name(std::uint64_t id, std::string_view name, Arena::Use use) noexcept {
  const std::uint32_t length = static_cast<std::uint32_t>(std::min<std::size_t>(name.size(), kLongestName));
  const std::uint32_t bytes = (12 + length + 7) / 8 * 8;
  if (names_ == nullptr || names_->capacity - names_->count.load(std::memory_order_relaxed) < bytes) {
    names_ = arena_->add_chunk({.kind = ChunkKind::kNames, .stride = 1, .slots = std::max(kNameChunk, bytes)}, use);
    if (names_ == nullptr) return nullptr;
  }
  const std::uint32_t used = names_->count.load(std::memory_order_relaxed);
  std::byte* at = slots_of(names_) + used;
  store(at, id);
  store(at + 8, length);
  std::memcpy(at + 12, name.data(), length);
  names_->count.store(used + bytes, std::memory_order_release);
  return reinterpret_cast<const char*>(at + 12);
}

File* Files::new_file() noexcept {
  if (pool_left_ == 0) {
    pool_ = static_cast<File*>(private_pages(kFilesAtOnce * sizeof(File), Pages::kNow));
    if (pool_ == nullptr) return nullptr;
    pool_left_ = kFilesAtOnce;
  }
  --pool_left_;
  return new (pool_++) File;
}

File* Files::add(std::uint64_t id, std::string_view name, Arena::Use use) noexcept {
  if (2 * count_ >= slots_ && !grow()) return nullptr;
  const char* kept = keep_name(id, name, use);
  if (kept == nullptr) return nullptr;
  File* file = new_file();
  if (file == nullptr) return nullptr;
  file->id = id;
  file->name = kept;
  file->name_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(name.size(), kLongestName));
  *entry_for(id) = {id, file};
  ++count_;
  return file;
}

File* Files::find(std::string_view name) noexcept {
  const std::uint64_t id = record_id(name);
  const Locked locked(lock_);
  return slots_ == 0 ? nullptr : entry_for(id)->file;
}

File* Files::look_up(std::string_view name, Arena::Use use) noexcept {
  const std::uint64_t id = record_id(name);
  const Locked locked(lock_);
  if (slots_ != 0) {
    if (File* known = entry_for(id)->file) return known;
  }
  return add(id, name, use);
}

File* Files::find_or_add(std::string_view name) noexcept { return look_up(name, Arena::Use::kNormal); }
File* Files::find_or_add_reserved(std::string_view name) noexcept { return look_up(name, Arena::Use::kReserve); }

}  // namespace trikal::capture
