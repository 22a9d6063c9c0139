// What listeners may ask modules for.

#include <algorithm>
#include <cstring>
#include <new>

#include "capture/events/event.hpp"

namespace trikal::capture {
namespace {

using log::crash::OperationSlot;

const ModuleHooks* module_of(Operation operation) noexcept {
  for (const ModuleHooks& module : module_hooks()) {
    if (module.operations.has(operation)) return &module;
  }
  return nullptr;
}

constinit Spin lock;
// A bit for each operation of each module.
constinit std::atomic<std::uint16_t> named[log::crash::kMostModules] = {};

template <std::size_t N>
std::uint16_t put_text(char (&to)[N], std::string_view text) noexcept {
  const std::size_t length = std::min(N, text.size());
  std::memcpy(to, text.data(), length);
  return static_cast<std::uint16_t>(length);
}

bool put_name(const ModuleHooks& module, Operation operation, std::uint32_t number) noexcept {
  log::crash::Chunk* chunk = session.arena.add_chunk({.kind = log::crash::ChunkKind::kOperations,
                                                      .stride = sizeof(OperationSlot),
                                                      .record_bytes = sizeof(OperationSlot),
                                                      .slots = 1},
                                                     Arena::Use::kNormal);
  if (chunk == nullptr) return false;
  auto* slot = new (slots_of(chunk)) OperationSlot;
  slot->operation = static_cast<std::uint32_t>(operation);
  slot->interface_bytes = put_text(slot->interface, module.schema->name);
  slot->word_bytes = put_text(slot->word, module.operations.words[number]);
  chunk->count.store(1, std::memory_order_release);
  return true;
}

}  // namespace

RecordDetails ask_details(const Event& event) noexcept {
  const ModuleHooks* module = module_of(event.operation);
  return module == nullptr || module->details == nullptr ? RecordDetails{} : module->details(event.file);
}

void name_operation(Operation operation) noexcept {
  if (!log::crash::is_of_module(operation)) return;
  const std::uint32_t number = static_cast<std::uint32_t>(operation) - log::crash::kFirstOfModules;
  std::atomic<std::uint16_t>& bits = named[number / log::crash::kMostOfModule];
  const std::uint32_t of_module = number % log::crash::kMostOfModule;
  const auto bit = static_cast<std::uint16_t>(1U << of_module);
  if ((bits.load(std::memory_order_acquire) & bit) != 0) return;
  const Locked locked(lock);
  const ModuleHooks* module = module_of(operation);
  if (!locked || module == nullptr || of_module >= module->operations.words.size()) return;
  if ((bits.load(std::memory_order_relaxed) & bit) == 0 && put_name(*module, operation, of_module))
    bits.fetch_or(bit, std::memory_order_release);
}

void forget_named_operations() noexcept {
  lock.reset();
  for (auto& bits : named) {
    if (bits.load(std::memory_order_relaxed) != 0) bits.store(0, std::memory_order_relaxed);
  }
}

}  // namespace trikal::capture
