#pragma once
// Slots of one kind, one after the other in chunks of the crash map. Whoever uses it holds a lock of its own.

#include <new>

#include "capture/session/session.hpp"

namespace trikal::capture {

template <class Slot, log::crash::ChunkKind Kind, std::uint32_t AtOnce>
class SlotChunks {
 public:
  // A slot that nobody sees before publish(); null: there is no memory left.
  [[nodiscard]] Slot* next() noexcept {
    if (chunk_ == nullptr || count() == chunk_->capacity) {
      const Arena::Shape shape{.kind = Kind, .stride = sizeof(Slot), .record_bytes = sizeof(Slot), .slots = AtOnce};
      chunk_ = session.arena.add_chunk(shape, Arena::Use::kNormal);
      if (chunk_ == nullptr) return nullptr;
    }
    return new (slots_of(chunk_) + std::size_t{count()} * sizeof(Slot)) Slot;
  }
  // What next() gave is complete: readers of the map may have it.
  void publish() noexcept { chunk_->count.store(count() + 1, std::memory_order_release); }
  // The map is another one.
  void begin_again() noexcept { chunk_ = nullptr; }

 private:
  [[nodiscard]] std::uint32_t count() const noexcept { return chunk_->count.load(std::memory_order_relaxed); }

  log::crash::Chunk* chunk_ = nullptr;
};

}  // namespace trikal::capture
