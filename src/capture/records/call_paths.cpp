#include "capture/records/call_paths.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::ScriptSlot;
using log::crash::SiteSlot;
using log::crash::StackSlot;

// A wrapper of HDF5's or MPI's, which a library goes through on its way to the one below.
bool is_ours(const LoadedObjects::Object* object) noexcept {
  static const char kHere = 0;
  return object != nullptr && reinterpret_cast<std::uintptr_t>(&kHere) - object->begin < object->end - object->begin;
}

template <class Slot>
std::uint64_t content_of(const Slot& slot) noexcept {
  return record_id({reinterpret_cast<const char*>(&slot), sizeof slot});
}

}  // namespace

const CallPaths::Path* CallPaths::find(LoadedObjects& objects, const Stack& stack) noexcept {
  Python::Spot spot;
  const bool in_python =
      stack.end == Stack::End::kInterpreter && objects.python().is_there() && objects.python().find(spot);
  if (!in_python && stack.end != Stack::End::kProgram) return nullptr;
  std::uint64_t key = stack.key;
  if (in_python) key = mixed(mixed(mixed(key, spot.program.instruction), spot.program.code), spot.library.instruction);
  if (paths_ == nullptr) paths_ = static_cast<Path*>(private_pages(kEntries * sizeof(Path)));
  if (paths_ == nullptr) return nullptr;
  Path* free = nullptr;
  for (std::size_t i = 0; i < kTries; ++i) {
    Path& path = paths_[(static_cast<std::size_t>(key >> 32U) + i) % kEntries];
    if (path.key == key) [[likely]]
      return &path;
    if (path.key == 0 && free == nullptr) free = &path;
  }
  if (free == nullptr) free = &paths_[static_cast<std::size_t>(key >> 32U) % kEntries];
  Path made{.key = key};
  if (!make(objects, stack, spot, made)) return nullptr;
  *free = made;
  return free;
}

// What a walk went through, in words of the map.
bool CallPaths::make(LoadedObjects& objects, const Stack& stack, const Python::Spot& spot, Path& path) noexcept {
  StackSlot slot;
  const auto add = [&slot](std::uint64_t object, std::uint64_t offset) noexcept {
    if (slot.depth < StackSlot::kMost)
      slot.frames[slot.depth++] = {static_cast<std::uint32_t>(object), static_cast<std::uint32_t>(offset)};
  };
  for (std::size_t i = 0; i < stack.depth; ++i) {
    const LoadedObjects::Object* object = objects.find(stack.returns[i]);
    const std::uint64_t number = object != nullptr ? object->number : 0;
    const std::uint64_t offset = number != 0 ? stack.returns[i] - object->base : 0;
    const bool is_last = i + 1 == stack.depth;
    if (is_last && stack.end == Stack::End::kProgram) path.object = number, path.offset = offset;
    else if (!is_last && !is_ours(object)) add(number, offset);
  }
  if (spot.program.code != 0) {
    if (spot.library.code != 0) {
      const std::uint64_t script = keep_script(objects.python(), spot.library);
      if (script != 0) add(StackSlot::kScript | script, 0);
    }
    const std::uint64_t script = keep_script(objects.python(), spot.program);
    path.object = SiteSlot::kScript | script, path.offset = 0;
    if (script == 0) return false;
  }
  path.stack = keep_stack(slot);
  return path.object != 0;
}

CallPaths::Kept* CallPaths::kept(std::uint64_t content) noexcept {
  if (kept_ == nullptr) kept_ = static_cast<Kept*>(private_pages(kEntries * sizeof(Kept)));
  if (kept_ == nullptr) return nullptr;
  for (std::size_t i = static_cast<std::size_t>(content);; ++i) {  // never full: kMostKept are made
    Kept& entry = kept_[i % kEntries];
    if (entry.content == content || entry.number == 0) return &entry;
  }
}

// 0: there is no space for it.
std::uint64_t CallPaths::keep_script(const Python& python, const Python::Frame& frame) noexcept {
  ScriptSlot slot;
  slot.line = python.line_of(frame);
  slot.path_bytes = static_cast<std::uint32_t>(python.file_of(frame, slot.path));
  slot.function_bytes = static_cast<std::uint32_t>(python.function_of(frame, slot.function));
  Kept* entry = kept(content_of(slot));
  if (entry == nullptr || slot.path_bytes == 0) return 0;
  if (entry->number != 0) return entry->number;
  ScriptSlot* fresh = used_ < kMostKept ? script_slots_.next() : nullptr;
  if (fresh == nullptr) return 0;
  *entry = {content_of(slot), ++scripts_};
  ++used_;
  *fresh = slot;
  fresh->number = scripts_;
  script_slots_.publish();
  return scripts_;
}

std::uint32_t CallPaths::keep_stack(StackSlot& slot) noexcept {
  if (slot.depth == 0) return 0;
  Kept* entry = kept(content_of(slot));
  if (entry == nullptr) return 0;
  if (entry->number != 0) return static_cast<std::uint32_t>(entry->number);
  StackSlot* fresh = used_ < kMostKept ? stack_slots_.next() : nullptr;
  if (fresh == nullptr) return 0;
  *entry = {content_of(slot), ++stacks_};
  ++used_;
  *fresh = slot;
  fresh->number = stacks_;
  stack_slots_.publish();
  return static_cast<std::uint32_t>(stacks_);
}

void CallPaths::forget() noexcept {
  if (paths_ != nullptr) std::fill_n(paths_, kEntries, Path{});
}

void CallPaths::begin_again() noexcept {
  forget();
  if (kept_ != nullptr) std::fill_n(kept_, kEntries, Kept{});
  used_ = 0, scripts_ = 0, stacks_ = 0;
  script_slots_.begin_again(), stack_slots_.begin_again();
}

}  // namespace trikal::capture
