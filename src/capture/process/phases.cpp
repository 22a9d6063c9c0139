// Phases that the program names itself, through include/trikal/annotate.h.

#include <algorithm>
#include <cstring>

#include "capture/events/event.hpp"
#include "capture/interpose/interposed.hpp"
#include "capture/process/phases.hpp"
#include "capture/records/slot_chunks.hpp"

namespace trikal::capture {
namespace {

using log::crash::PhaseSlot;

constexpr std::uint32_t kChunkPhases = 64;
constexpr std::uint32_t kMostPhases = 65536;  // of a process; later ones are not kept
constexpr std::uint32_t kMostDepth = 16;

constinit Spin lock;
constinit SlotChunks<PhaseSlot, log::crash::ChunkKind::kPhases, kChunkPhases> slots;
constinit std::uint32_t phases = 0;
constinit const log::crash::Header* owner = nullptr;  // a forked child has a map of its own

// Phases of this thread that have not ended; those deeper than kMostDepth are not kept.
constinit thread_local PhaseSlot* open_phases[kMostDepth] = {};
constinit thread_local std::uint32_t depth = 0;
constinit thread_local const log::crash::Header* opened_in = nullptr;

double now() noexcept {
  const Ticks ticks = read_counter();
  return session.span(ticks, ticks).end;
}

PhaseSlot* new_slot() noexcept {
  if (owner != session.arena.header()) owner = session.arena.header(), slots.begin_again(), phases = 0;
  if (phases == kMostPhases) return nullptr;
  PhaseSlot* slot = slots.next();
  if (slot != nullptr) ++phases;
  return slot;
}

void begin_phase(const char* name) noexcept {
  const double begun = now();
  if (opened_in != session.arena.header()) depth = 0, opened_in = session.arena.header();
  const std::uint32_t level = depth++;
  if (level >= kMostDepth) return;
  open_phases[level] = nullptr;
  const Locked locked(lock);
  if (!locked) return;
  PhaseSlot* slot = new_slot();
  if (slot == nullptr) return;
  slot->begin = begun;
  slot->thread = thread_number();
  slot->depth = level;
  slot->name_bytes = static_cast<std::uint32_t>(std::min(std::strlen(name), PhaseSlot::kNameBytes));
  std::memcpy(slot->name, name, slot->name_bytes);
  slots.publish();
  open_phases[level] = slot;
}

void end_phase() noexcept {
  if (opened_in != session.arena.header() || depth == 0) return;
  const std::uint32_t level = --depth;
  if (level < kMostDepth && open_phases[level] != nullptr) open_phases[level]->end = now();
}

}  // namespace

void forget_phases() noexcept { lock.reset(); }

}  // namespace trikal::capture

using trikal::capture::Inside;
using trikal::capture::session;

TRIKAL_WRAPPER void trikal_phase_begin(const char* name) noexcept {
  if (name == nullptr || trikal::capture::is_inside() || !session.running()) return;
  const Inside inside;
  trikal::capture::begin_phase(name);
}

TRIKAL_WRAPPER void trikal_phase_end() noexcept {
  if (trikal::capture::is_inside() || !session.running()) return;
  const Inside inside;
  trikal::capture::end_phase();
}
