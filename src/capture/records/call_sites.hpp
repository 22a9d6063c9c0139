#pragma once
// Calls by the place in the program they came from, the file and the operation. Only where it was asked for; kept in
// the crash map like everything else. What finds no place is counted together, by operation.

#include "capture/events/event.hpp"
#include "capture/interpose/caller.hpp"
#include "capture/records/loaded_objects.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

class CallSites {
 public:
  // Under the guard, no lock held.
  void hear(const Event& event) noexcept;
  void objects_changed() noexcept { changed_.store(true, std::memory_order_relaxed); }
  void after_fork() noexcept { objects_.lock.reset(); }

  static constexpr std::size_t kMost = 12288;  // places in all

 private:
  using Slot = log::crash::SiteSlot;
  static constexpr std::size_t kPlaces = 16384;  // a power of two
  static constexpr std::uint32_t kSlotsAtOnce = 128;

  struct Place {
    std::uint64_t object = Slot::kUnknown, offset = 0;
  };
  enum class Unknown : bool { kAsk, kLeaveOut };
  Place place_of(std::uintptr_t address) noexcept;
  bool count_at(std::uintptr_t address, const Event& event, Unknown unknown) noexcept;
  bool begin() noexcept;
  Slot* find_or_add(const Slot& wanted) noexcept;
  Slot* add(const Slot& wanted) noexcept;
  Slot* make(const Slot& wanted) noexcept;

  LoadedObjects objects_;  // its lock is that of all of this
  std::atomic<bool> changed_{false};
  Slot** table_ = nullptr;
  Slot* rest_ = nullptr;  // one an operation
  std::size_t used_ = 0;
  log::crash::Chunk* chunk_ = nullptr;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
};
extern constinit CallSites call_sites;

}  // namespace trikal::capture
