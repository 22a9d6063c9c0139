#pragma once
// Slots of the crash map for runs of accesses (schema/live.hpp). There are few, because few files are in the middle of
// one; a file that finds none is counted without.

#include "capture/session/session.hpp"

namespace trikal::capture {

template <class Run, const ModuleSchema& Schema>
class RunPool {
 public:
  // All zeros but for the id.
  Run* take(std::uint64_t id) noexcept {
    const Locked locked(lock_);
    if (!locked) return nullptr;
    if (session.arena.header() != owner_) begin_again();
    Run* run = free_count_ > 0 ? free_[--free_count_] : add();
    if (run != nullptr) *run = Run{.head = {.id = id}};
    return run;
  }
  void give_back(Run* run) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    if (free_count_ < log::crash::kMostRuns) free_[free_count_++] = run;
  }
  void after_fork() noexcept { lock_.reset(); }

 private:
  static constexpr std::uint32_t kAtOnce = 2;

  // A forked child has a map of its own.
  void begin_again() noexcept {
    owner_ = session.arena.header();
    chunk_ = nullptr;
    free_count_ = made_ = 0;
  }
  Run* add() noexcept {
    if (made_ == log::crash::kMostRuns) return nullptr;
    if (made_ % kAtOnce == 0) {
      log::crash::Chunk* fresh = session.arena.add_chunk({.kind = log::crash::ChunkKind::kRuns,
                                                          .module = Schema.id,
                                                          .stride = sizeof(Run),
                                                          .record_bytes = sizeof(Run),
                                                          .slots = kAtOnce},
                                                         Arena::Use::kNormal);
      if (fresh == nullptr) return nullptr;
      chunk_ = fresh;
    }
    const std::uint32_t slot = made_++ % kAtOnce;
    chunk_->count.store(slot + 1, std::memory_order_release);
    return reinterpret_cast<Run*>(slots_of(chunk_)) + slot;
  }

  Spin lock_;
  const log::crash::Header* owner_ = nullptr;
  log::crash::Chunk* chunk_ = nullptr;
  Run* free_[log::crash::kMostRuns] = {};
  std::uint32_t free_count_ = 0, made_ = 0;
};

}  // namespace trikal::capture
