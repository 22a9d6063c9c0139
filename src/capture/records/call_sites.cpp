#include "capture/records/call_sites.hpp"

#include <algorithm>
#include <new>

#include "capture/interpose/imports.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {

constinit bool keeps_callers = false;
constinit thread_local const void* caller = nullptr;
constinit CallSites call_sites;

namespace {

std::size_t index_of(const log::crash::SiteSlot& slot) noexcept {
  std::uint64_t mixed = slot.offset ^ (slot.object << 40U) ^ (std::uint64_t{slot.operation} << 56U);
  mixed = (mixed ^ slot.id ^ (std::uint64_t{slot.stack} << 20U)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(mixed >> 32U);
}

bool is_same(const log::crash::SiteSlot& a, const log::crash::SiteSlot& b) noexcept {
  return a.offset == b.offset && a.id == b.id && a.operation == b.operation && a.object == b.object &&
         a.stack == b.stack;
}

}  // namespace

CallSites::Slot* CallSites::make(const Slot& wanted) noexcept {
  const std::uint32_t index = chunk_->count.load(std::memory_order_relaxed);
  Slot* slot = new (slots_of(chunk_) + std::size_t{index} * sizeof(Slot)) Slot(wanted);
  chunk_->count.store(index + 1, std::memory_order_release);
  return slot;
}

// Tables of this process, and the slots of what will find none: those are there before anything else.
bool CallSites::begin() noexcept {
  if (owner_ == session.arena.header()) return table_ != nullptr && rest_ != nullptr;
  owner_ = session.arena.header();
  objects_.begin_again();
  walk_.forget();
  paths_.begin_again();
  used_ = 0, rest_ = nullptr, chunk_ = nullptr;
  if (table_ != nullptr) std::fill_n(table_, kEntries, nullptr);
  else table_ = static_cast<Slot**>(private_pages(kEntries * sizeof(Slot*)));
  chunk_ = session.arena.add_chunk({.kind = log::crash::ChunkKind::kSites,
                                    .stride = sizeof(Slot),
                                    .record_bytes = sizeof(Slot),
                                    .slots = kSlotsAtOnce},
                                   Arena::Use::kNormal);
  if (table_ == nullptr || chunk_ == nullptr) return false;
  static_assert(log::crash::kOperations <= kSlotsAtOnce);
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i) {
    Slot* slot = make({.object = Slot::kTableFull, .operation = i});
    if (i == 0) rest_ = slot;
  }
  return true;
}

CallSites::Slot* CallSites::add(const Slot& wanted) noexcept {
  if (chunk_->count.load(std::memory_order_relaxed) == chunk_->capacity) {
    log::crash::Chunk* fresh = session.arena.add_chunk({.kind = log::crash::ChunkKind::kSites,
                                                        .stride = sizeof(Slot),
                                                        .record_bytes = sizeof(Slot),
                                                        .slots = kSlotsAtOnce},
                                                       Arena::Use::kNormal);
    if (fresh == nullptr) return nullptr;
    chunk_ = fresh;
  }
  ++used_;
  return make(wanted);
}

CallSites::Slot* CallSites::find_or_add(const Slot& wanted) noexcept {
  for (std::size_t at = index_of(wanted);; ++at) {
    Slot*& entry = table_[at % kEntries];
    if (entry != nullptr && is_same(*entry, wanted)) return entry;
    if (entry != nullptr) continue;
    if (used_ < kMost || wanted.object == Slot::kTableFull) entry = add(wanted);
    return entry != nullptr ? entry : rest_of(wanted);
  }
}

// Of operations that every process knows there is one from the beginning; of a module's own, when it is needed.
CallSites::Slot* CallSites::rest_of(const Slot& wanted) noexcept {
  if (wanted.operation < log::crash::kOperations) return rest_ + wanted.operation;
  if (wanted.object == Slot::kTableFull) return nullptr;  // there is no memory
  return find_or_add({.object = Slot::kTableFull, .operation = wanted.operation});
}

CallSites::Location CallSites::location_of(std::uintptr_t address) noexcept {
  const LoadedObjects::Object* object = address == 0 ? nullptr : objects_.find(address);
  if (address == 0) return {};
  if (object == nullptr) objects_.leave_out(address);
  if (object == nullptr || object->number == 0) return {Slot::kUnknown, address, 0};
  return {object->number, address - object->base, 0};
}

CallSites::Location CallSites::locate(std::uintptr_t address) noexcept {
  for (const Unknown unknown : {Unknown::kAsk, Unknown::kLeaveOut}) {
    {
      const Locked locked(objects_.lock);
      if (!locked || !begin()) return {};
      if (changed_.exchange(false, std::memory_order_relaxed)) objects_.forget(), walk_.forget(), paths_.forget();
      if (unknown == Unknown::kLeaveOut || objects_.find(address) != nullptr) return location_of(address);
    }
    objects_.look();  // without the lock
  }
  return {};
}

void CallSites::hear(const Event& event) noexcept {
  // Another library may lie where one was before; its imports want to be looked at, too.
  redirect_new_imports();
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (!count_at(address, event, Unknown::kAsk)) {
    objects_.look();  // without the lock
    (void)count_at(address, event, Unknown::kLeaveOut);
  }
}

// Where the program called, itself or through libraries.
bool CallSites::site_of(std::uintptr_t address, Unknown unknown, Location& site) noexcept {
  const LoadedObjects::Object* object = address == 0 ? nullptr : objects_.find(address);
  if (object == nullptr && address != 0 && unknown == Unknown::kAsk) return false;
  site = location_of(address);
  if (object == nullptr || object->owner == CodeOwner::kProgram) return true;
  const Stack& stack = walk_.walk(objects_, address, unknown == Unknown::kLeaveOut);
  if (stack.end == Stack::End::kUnknownObject) return false;
  const CallPaths::Path* path = paths_.find(objects_, stack);
  if (path != nullptr) site = {path->object, path->offset, path->stack};
  return true;
}

bool CallSites::count_at(std::uintptr_t address, const Event& event, Unknown unknown) noexcept {
  const Locked locked(objects_.lock);
  if (!locked) return true;
  if (!begin()) return session.missed(), true;
  if (changed_.exchange(false, std::memory_order_relaxed)) objects_.forget(), walk_.forget(), paths_.forget();
  Location site;
  if (!site_of(address, unknown, site)) return false;
  name_operation(event.operation);
  Slot* slot = find_or_add({.object = site.object,
                            .offset = site.offset,
                            .id = event.file,
                            .operation = static_cast<std::uint32_t>(event.operation),
                            .stack = site.stack});
  if (slot == nullptr) return session.missed(), true;
  slot->count += 1;
  slot->bytes += std::max<std::int64_t>(event.length, 0);
  slot->seconds += event.when.length();
  return true;
}

void note_objects_changed() noexcept { call_sites.objects_changed(); }

}  // namespace trikal::capture
