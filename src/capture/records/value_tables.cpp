#include "capture/records/value_tables.hpp"

#include <algorithm>

#include "capture/session/session.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::ValuesSlot;

template <std::size_t Words>
class Pool {
 public:
  ValuesSlot<Words>* take(const ValuesOf& of) noexcept {
    const Locked locked(lock_);
    if (!locked) return nullptr;
    ValuesSlot<Words>* slot = from_map();
    if (slot == nullptr) slot = from_own_memory();
    if (slot == nullptr) return nullptr;
    slot->head.id = of.id, slot->head.module = of.module;
    slot->head.counter = static_cast<std::uint16_t>(of.counter), slot->head.words = Words;
    if (published_ != nullptr) published_->count.store(taken_, std::memory_order_release);
    return slot;
  }
  void after_fork() noexcept { lock_.reset(); }

 private:
  static constexpr std::uint32_t kFirst = 2, kMost = Words == 1 ? 64 : 8;

  ValuesSlot<Words>* from_map() noexcept {
    published_ = nullptr;
    if (session.arena.header() != owner_) chunk_ = nullptr, chunk_slots_ = kFirst, owner_ = session.arena.header();
    if (owner_ == nullptr) return nullptr;
    if (chunk_ == nullptr || taken_ == chunk_->capacity) {
      log::crash::Chunk* fresh = session.arena.add_chunk({.kind = log::crash::ChunkKind::kValues,
                                                          .stride = sizeof(ValuesSlot<Words>),
                                                          .record_bytes = sizeof(ValuesSlot<Words>),
                                                          .slots = chunk_slots_},
                                                         Arena::Use::kNormal);
      if (fresh == nullptr) return nullptr;
      chunk_ = fresh, taken_ = 0;
      chunk_slots_ = std::min(2 * chunk_slots_, kMost);
    }
    published_ = chunk_;
    return reinterpret_cast<ValuesSlot<Words>*>(slots_of(chunk_)) + taken_++;
  }

  ValuesSlot<Words>* from_own_memory() noexcept {
    if (own_left_ == 0) {
      own_ = static_cast<ValuesSlot<Words>*>(private_pages(kMost * sizeof(ValuesSlot<Words>)));
      if (own_ == nullptr) return nullptr;
      own_left_ = kMost;
    }
    --own_left_;
    return own_++;
  }

  Spin lock_;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
  log::crash::Chunk* chunk_ = nullptr;
  log::crash::Chunk* published_ = nullptr;  // the chunk of the slot just taken
  std::uint32_t taken_ = 0, chunk_slots_ = kFirst, own_left_ = 0;
  ValuesSlot<Words>* own_ = nullptr;
};

template <std::size_t Words>
constinit Pool<Words> pool;

}  // namespace

template <std::size_t Words>
ValuesSlot<Words>* take_values(const ValuesOf& of) noexcept {
  return pool<Words>.take(of);
}
template ValuesSlot<1>* take_values<1>(const ValuesOf&) noexcept;
template ValuesSlot<11>* take_values<11>(const ValuesOf&) noexcept;

void forget_values() noexcept {
  pool<1>.after_fork();
  pool<11>.after_fork();
}

}  // namespace trikal::capture
