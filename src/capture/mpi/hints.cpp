#include "capture/mpi/hints.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "capture/loader/symbols.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

using log::crash::HintSlot;

constexpr std::uint32_t kChunkHints = 32;
constexpr std::uint32_t kMostHints = 1024;  // of a process; later ones are only counted
constexpr int kMostKeys = 64;               // of one info
constexpr std::size_t kTextBytes = 1100;     // longer than any library's keys and values

constinit Spin lock;
constinit log::crash::Chunk* chunks[kMostHints / kChunkHints] = {};
constinit std::uint32_t hints = 0;

struct InfoCalls {
  int (*count)(MpiHandle, int*) = nullptr;
  int (*key)(MpiHandle, int, char*) = nullptr;
  int (*value)(MpiHandle, const char*, int, char*, int*) = nullptr;
  int (*text)(MpiHandle, const char*, int*, char*, int*) = nullptr;  // what newer libraries may have instead

  InfoCalls() noexcept {
    const auto find = [](auto*& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find_function(name));
    };
    find(count, "PMPI_Info_get_nkeys");
    find(key, "PMPI_Info_get_nthkey");
    find(value, "PMPI_Info_get");
    find(text, "PMPI_Info_get_string");
  }

  [[nodiscard]] bool read(MpiHandle info, const char* name, char (&out)[kTextBytes]) const noexcept {
    int found = 0, capacity = kTextBytes - 1;
    if (text != nullptr) return text(info, name, &capacity, out, &found) == 0 && found != 0;
    return value != nullptr && value(info, name, kTextBytes - 2, out, &found) == 0 && found != 0;
  }
};

HintSlot& slot_at(std::uint32_t index) noexcept {
  return reinterpret_cast<HintSlot*>(slots_of(chunks[index / kChunkHints]))[index % kChunkHints];
}

bool is_same(const HintSlot& slot, std::uint64_t file, std::string_view key, std::string_view value) noexcept {
  return slot.id == file && std::string_view(slot.key, slot.key_bytes) == key &&
         std::string_view(slot.value, slot.value_bytes) == value;
}

std::string_view cut(const char* text, std::size_t most) noexcept { return {text, std::min(std::strlen(text), most)}; }

void keep(std::uint64_t file, std::string_view key, std::string_view value) noexcept {
  const Locked locked(lock);
  if (!locked) return;
  for (std::uint32_t i = 0; i < hints; ++i) {
    if (is_same(slot_at(i), file, key, value)) return;
  }
  if (hints == kMostHints) return;
  log::crash::Chunk*& chunk = chunks[hints / kChunkHints];
  if (chunk == nullptr) {
    chunk = session.arena.add_chunk({.kind = log::crash::ChunkKind::kHints,
                                     .stride = sizeof(HintSlot),
                                     .record_bytes = sizeof(HintSlot),
                                     .slots = kChunkHints},
                                    Arena::Use::kNormal);
    if (chunk == nullptr) return;
  }
  auto* slot = new (&slot_at(hints)) HintSlot;
  slot->id = file;
  slot->key_bytes = static_cast<std::uint32_t>(key.size());
  slot->value_bytes = static_cast<std::uint32_t>(value.size());
  std::memcpy(slot->key, key.data(), key.size());
  std::memcpy(slot->value, value.data(), value.size());
  ++hints;
  chunk->count.fetch_add(1, std::memory_order_release);
}

}  // namespace

void note_hints(std::uint64_t file, MpiHandle info) noexcept {
  const InfoCalls calls;
  int count = 0;
  if (calls.count == nullptr || calls.key == nullptr || calls.count(info, &count) != 0) return;
  for (int i = 0; i < std::min(count, kMostKeys); ++i) {
    char key[kTextBytes] = {}, value[kTextBytes] = {};
    if (calls.key(info, i, key) != 0 || !calls.read(info, key, value)) continue;
    keep(file, cut(key, HintSlot::kKeyBytes), cut(value, HintSlot::kValueBytes));
  }
}

void forget_hints() noexcept {
  lock.reset();
  if (chunks[0] == nullptr) return;
  std::ranges::fill(chunks, nullptr);
  hints = 0;
}

}  // namespace trikal::capture
