#pragma once
// Calls by the location in the program they came from, the file and the operation. Only where it was asked for; kept in
// the crash map like everything else. What finds no slot is counted together, by operation.

#include "capture/events/event.hpp"
#include "capture/interpose/caller.hpp"
#include "capture/records/call_paths.hpp"
#include "capture/records/loaded_objects.hpp"
#include "capture/records/stack_walk.hpp"
#include "capture/session/session.hpp"
#include "log/crash/call_sites.hpp"

namespace trikal::capture {

class CallSites {
 public:
  // Under the guard, no lock held.
  void hear(const Event& event) noexcept;
  void objects_changed() noexcept {
    changed_.store(true, std::memory_order_relaxed);
    state_.fetch_add(1, std::memory_order_relaxed);
  }
  // Another one after objects were loaded or left, and in a forked child: locations are to be asked for again.
  [[nodiscard]] std::uint32_t objects_state() const noexcept { return state_.load(std::memory_order_relaxed); }

  struct Location {
    std::uint64_t object = log::crash::SiteSlot::kUnknown, offset = 0;
    std::uint32_t stack = 0;
  };
  // Where an address lies, as the map names it. Under the guard, no lock held.
  [[nodiscard]] Location locate(std::uintptr_t address) noexcept;
  void after_fork() noexcept {
    objects_.lock.reset();
    if (owner_ != nullptr) state_.fetch_add(1, std::memory_order_relaxed);
  }

  static constexpr std::size_t kMost = 12288;  // in all

 private:
  using Slot = log::crash::SiteSlot;
  static constexpr std::size_t kEntries = 16384;  // a power of two
  // Behind kMost come those of operations that only modules know: the table is never full.
  static_assert(kMost + log::crash::kMostModules * log::crash::kMostOfModule < kEntries);
  static constexpr std::uint32_t kSlotsAtOnce = 128;

  enum class Unknown : bool { kAsk, kLeaveOut };
  Location location_of(std::uintptr_t address) noexcept;
  // False: the loader must be asked first, without the lock.
  bool site_of(std::uintptr_t address, Unknown unknown, Location& site) noexcept;
  bool count_at(std::uintptr_t address, const Event& event, Unknown unknown) noexcept;
  bool begin() noexcept;
  Slot* find_or_add(const Slot& wanted) noexcept;
  Slot* rest_of(const Slot& wanted) noexcept;
  Slot* add(const Slot& wanted) noexcept;
  Slot* make(const Slot& wanted) noexcept;

  LoadedObjects objects_;  // its lock is that of all of this
  StackWalk walk_;
  CallPaths paths_;
  std::atomic<bool> changed_{false};
  std::atomic<std::uint32_t> state_{1};
  Slot** table_ = nullptr;
  Slot* rest_ = nullptr;  // one an operation
  std::size_t used_ = 0;
  log::crash::Chunk* chunk_ = nullptr;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
};
extern constinit CallSites call_sites;

}  // namespace trikal::capture
