#pragma once
// Makes a module's records in the crash map, chunk after chunk. Once memory is full, every further file shares one
// record with all others on its mount: totals stay exact, which file it was is lost, and the log says so.

#include <algorithm>

#include "capture/session/session.hpp"

namespace trikal::capture {

template <class Slot, const ModuleSchema& Schema, log::crash::ChunkKind Kind = log::crash::ChunkKind::kRecords>
class RecordPool {
 public:
  // Null only if there is no memory even for the shared record, or a lock that cannot be had. before(slot) fills one that
  // nobody else has seen yet; what it returns lives until others have, and is false if they must not.
  template <class Before>
  Slot* make(File& file, ModuleSlot which, const Before& before) noexcept {
    if (session.config.is_off(Schema.id)) return nullptr;
    const Locked locked(lock_);
    if (!locked) return nullptr;
    if (auto* known = file.records[which].template as<Slot>()) return known;
    if (session.arena.header() != owner_) begin_again();
    Slot* slot = take(Arena::Use::kNormal);
    if (slot == nullptr) return fold(file, which);
    const auto held = before(*slot);
    if (!held) return nullptr;
    publish(*slot, file, which);
    return slot;
  }
  Slot* make(File& file, ModuleSlot which) noexcept {
    return make(file, which, [](Slot&) { return true; });
  }
  void after_fork() noexcept { lock_.reset(); }

 private:
  static constexpr std::uint32_t kFirst = 2;
  static constexpr std::uint32_t kMost = 256;

  [[gnu::noinline, gnu::cold]] void begin_again() noexcept {
    owner_ = session.arena.header();
    chunk_ = nullptr, chunk_slots_ = kFirst;
    session.describe_mounts();
  }

  Slot* take(Arena::Use use) noexcept {
    if (chunk_ == nullptr || taken_ == chunk_->capacity) {
      const std::uint32_t slots = use == Arena::Use::kReserve ? 1 : chunk_slots_;
      log::crash::Chunk* fresh = session.arena.add_chunk({.kind = Kind,
                                                          .module = Schema.id,
                                                          .stride = sizeof(Slot),
                                                          .record_bytes = sizeof(Slot::record),
                                                          .slots = slots},
                                                         use);
      if (fresh == nullptr) return nullptr;
      chunk_ = fresh, taken_ = 0;
      chunk_slots_ = std::min(2 * chunk_slots_, kMost);
    }
    // Not constructed: chunks are zeroed, a new slot is all zeros, and writing them again is half of what a new file
    // would cost.
    std::byte* slot = slots_of(chunk_) + std::size_t{taken_++} * sizeof(Slot);
    if (taken_ < chunk_->capacity) fetch(slot + sizeof(Slot));
    return reinterpret_cast<Slot*>(slot);
  }

  // Into the cache while the application does something else: a program that opens many files opens another soon.
  static void fetch(const std::byte* slot) noexcept {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < sizeof(Slot); at += kLine) __builtin_prefetch(slot + at, 1);
  }

  // The record counts from when it has its id on: a reader of the map sees all of it or none.
  void publish(Slot& slot, File& file, ModuleSlot which) noexcept {
    slot.record.set_base({file.id, 0});  // the rank is set when the log is written
    chunk_->count.store(taken_, std::memory_order_release);
    file.records[which].set(&slot);
  }

  Slot* fold(File& file, ModuleSlot which) noexcept {
    if (Kind == log::crash::ChunkKind::kBriefs) return nullptr;  // it shares the whole one
    const bool own = std::ranges::any_of(file.records, [](const auto& record) { return record.is_set(); });
    File* stand_in = file.stands_for_many ? &file : session.folded_file(file.text());
    if (stand_in == nullptr) return nullptr;
    if (!stand_in->records[which].is_set()) {
      Slot* slot = take(Arena::Use::kReserve);
      if (slot == nullptr) return nullptr;
      publish(*slot, *stand_in, which);
    }
    // Once, and not where it has a record of another module: then it is in the log as itself.
    if (Kind == log::crash::ChunkKind::kRecords && !own && stand_in != &file) session.count_folded(file.id);
    auto* slot = stand_in->records[which].template as<Slot>();
    file.records[which].set(slot);
    return slot;
  }

  Spin lock_;
  log::crash::Chunk* chunk_ = nullptr;
  std::uint32_t taken_ = 0;
  std::uint32_t chunk_slots_ = kFirst;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
};

}  // namespace trikal::capture
