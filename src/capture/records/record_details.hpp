#pragma once
// What a listener may ask about a record, by the names of its counters: a module hands it to its hooks as it is.

#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

// The slot of PREFIX_NAME; kNoSlot: the module has no such counter.
consteval std::size_t detail_slot(const ModuleSchema& schema, std::string_view name) {
  std::size_t slot = 0;
  for (const Counter& counter : schema.counters) {
    const bool begins = counter.name.size() == schema.prefix.size() + 1 + name.size() &&
                        counter.name.starts_with(schema.prefix) && counter.name[schema.prefix.size()] == '_';
    if (begins && counter.name.ends_with(name)) return slot;
    slot += counter.width();
  }
  return kNoSlot;
}

// `Settle(slot)`: first, with the record's lock held, for records that lag behind.
template <class Slot, const ModuleSchema& Schema, ModuleSlot Which, auto Settle = [](Slot&) noexcept {}>
RecordDetails details_of(std::uint64_t id) noexcept {
  const File* file = session.files.find(id);
  auto* slot = file == nullptr ? nullptr : file->records[Which].template as<Slot>();
  if (slot == nullptr) return {};
  const Locked locked(slot->lock);
  if (!locked) return {};
  Settle(*slot);
  const auto value = [slot]<std::size_t Number>() -> std::int64_t {
    if constexpr (Number == kNoSlot) return -1;
    else return slot->record.slot(Number);
  };
  constexpr std::size_t kRead = detail_slot(Schema, "MAX_BYTE_READ"),
                        kWritten = detail_slot(Schema, "MAX_BYTE_WRITTEN");
  constexpr std::size_t kSwitches = detail_slot(Schema, "RW_SWITCHES"), kFlushes = detail_slot(Schema, "FLUSHES");
  return {
    value.template operator()<kRead>(),
    value.template operator()<kWritten>(),
    value.template operator()<kSwitches>(),
    value.template operator()<kFlushes>()
  };
}

}  // namespace trikal::capture
