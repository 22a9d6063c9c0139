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

// A process that uses a handful of files has one page for all of this.
constexpr std::size_t kFirstSlots = 64, kSecondSlots = 1024;
constexpr std::size_t kGrowth = 2;
constexpr std::size_t kFirstBytes = 4096, kFilesAtOnce = 512;
constexpr std::uint32_t kFirstNames = 1024,
                        kMostNames = 16 * 1024;  // bytes in a chunk; each has twice those of the last
constexpr std::uint32_t kLongestName = 8 * 1024;

}  // namespace

void Files::begin_again(Arena& arena) noexcept {
  arena_ = &arena;
  lock_.reset();
  table_.store(nullptr, std::memory_order_relaxed), count_ = 0;
  names_ = nullptr;
  pool_ = nullptr, pool_left_ = 0;
}

// The entry with that id, or the free one where it belongs.
Files::Entry* Files::Table::entry_for(std::uint64_t id) noexcept {
  const std::size_t mask = slots - 1;
  std::size_t at = static_cast<std::size_t>(id >> 16) & mask;
  while (entries()[at].file.load(std::memory_order_acquire) != nullptr && entries()[at].id != id) at = (at + 1) & mask;
  return &entries()[at];
}

// The first table, and behind it the first files.
bool Files::begin_tables() noexcept {
  constexpr std::size_t kEntries = sizeof(Table) + kFirstSlots * sizeof(Entry);
  constexpr std::size_t kTable = (kEntries + alignof(File) - 1) / alignof(File) * alignof(File);
  auto* page = static_cast<std::byte*>(private_pages(kFirstBytes));
  if (page == nullptr) return false;
  auto* table = reinterpret_cast<Table*>(page);
  table->slots = kFirstSlots;
  pool_ = reinterpret_cast<File*>(page + kTable), pool_left_ = (kFirstBytes - kTable) / sizeof(File);
  table_.store(table, std::memory_order_release);
  return true;
}

bool Files::grow() noexcept {
  Table* old = table_.load(std::memory_order_relaxed);
  if (old == nullptr) return begin_tables();
  const std::size_t slots = std::max(kGrowth * old->slots, kSecondSlots);
  auto* table = static_cast<Table*>(private_pages(sizeof(Table) + slots * sizeof(Entry), Pages::kNowLarge));
  if (table == nullptr) return false;
  table->slots = slots;
  for (std::size_t i = 0; i < old->slots; ++i) {
    Entry& entry = old->entries()[i];
    File* file = entry.file.load(std::memory_order_relaxed);
    if (file == nullptr) continue;
    Entry* moved = table->entry_for(entry.id);
    moved->id = entry.id;
    moved->file.store(file, std::memory_order_relaxed);
  }
  table_.store(table, std::memory_order_release);
  return true;
}

// Names are written for the log as they are met: u64 id, u32 length, bytes, padded to 8.
const char* Files::keep_name(std::uint64_t id, std::string_view name, Arena::Use use) noexcept {
  const std::uint32_t length = static_cast<std::uint32_t>(std::min<std::size_t>(name.size(), kLongestName));
  const std::uint32_t bytes = (12 + length + 7) / 8 * 8;
  if (names_ == nullptr || names_->capacity - names_->count.load(std::memory_order_relaxed) < bytes) {
    const std::uint32_t more = names_ == nullptr ? kFirstNames : std::min(2 * names_->capacity, kMostNames);
    const auto add = [&](std::uint32_t slots) {
      return arena_->add_chunk({.kind = ChunkKind::kNames, .stride = 1, .slots = std::max(slots, bytes)}, use);
    };
    names_ = add(more);
    if (names_ == nullptr) names_ = add(kFirstNames);  // the end of the arena
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
  const Table* table = table_.load(std::memory_order_relaxed);
  if ((table == nullptr || 2 * count_ >= table->slots) && !grow()) return nullptr;
  const char* kept = keep_name(id, name, use);
  if (kept == nullptr) return nullptr;
  File* file = new_file();
  if (file == nullptr) return nullptr;
  file->id = id;
  file->name = kept;
  file->name_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(name.size(), kLongestName));
  Entry* entry = table_.load(std::memory_order_relaxed)->entry_for(id);
  entry->id = id;
  entry->file.store(file, std::memory_order_release);
  ++count_;
  return file;
}

File* Files::find(std::uint64_t id) const noexcept {
  Table* table = table_.load(std::memory_order_acquire);
  return table == nullptr ? nullptr : table->entry_for(id)->file.load(std::memory_order_acquire);
}

File* Files::look_up(std::uint64_t id, std::string_view name, Arena::Use use) noexcept {
  const Locked locked(lock_);
  if (!locked) return nullptr;
  if (File* known = find(id)) return known;
  return add(id, name, use);
}

File* Files::find_or_add(std::string_view name) noexcept { return find_or_add(record_id(name), name); }
File* Files::find_or_add(std::uint64_t id, std::string_view name) noexcept {
  return look_up(id, name, Arena::Use::kNormal);
}
File* Files::find_or_add_reserved(std::string_view name) noexcept {
  File* file = look_up(record_id(name), name, Arena::Use::kReserve);
  if (file != nullptr) file->stands_for_many = 1;
  return file;
}

}  // namespace trikal::capture
