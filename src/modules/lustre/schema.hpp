#pragma once
// LUSTRE: how a file is laid out over storage targets. One record a file, of any number of components.
//
// A record in memory: the 32-byte head, `num_comps` components of 72 bytes (seven counters, then the pool's
// name), then `num_stripes` target indices: component k owns as many as its STRIPE_COUNT says.

#include <array>

#include "schema/module.hpp"

namespace trikal::modules::lustre {

inline constexpr std::uint32_t kHeadBytes = 32;
inline constexpr std::uint32_t kNumCompsAt = 16;
inline constexpr std::uint32_t kNumStripesAt = 24;

inline constexpr std::uint32_t kComponentBytes = 72;
inline constexpr std::uint32_t kComponentWords = kComponentBytes / 8;
inline constexpr std::uint32_t kPoolNameAt = 56;  // in a component
inline constexpr std::uint32_t kPoolNameBytes = 16;

// The counters of one component; -1 is "unknown" in all but EXT_END.
inline constexpr Counter kComponentCounters[] = {
    {"LUSTRE_COMP_STRIPE_SIZE", Unit::kBytes, Fold::kKeep, "size of a stripe; -1 marks a slot that is not used"},
    {"LUSTRE_COMP_STRIPE_COUNT", Unit::kNone, Fold::kKeep, "stripes of the component; 0 where the data is on an MDT"},
    {"LUSTRE_COMP_STRIPE_PATTERN", Unit::kMode, Fold::kKeep, "how stripes are placed"},
    {"LUSTRE_COMP_FLAGS", Unit::kMode, Fold::kKeep, "state of the component, a bit each"},
    {"LUSTRE_COMP_EXT_START", Unit::kOffset, Fold::kKeep, "first byte the component covers"},
    {"LUSTRE_COMP_EXT_END", Unit::kOffset, Fold::kKeep, "end of what the component covers; -1 for the end of the file"},
    {"LUSTRE_COMP_MIRROR_ID", Unit::kNone, Fold::kKeep, "the mirror the component belongs to"},
};
static_assert(8 * slots_in(kComponentCounters) == kPoolNameAt);
static_assert(kPoolNameAt + kPoolNameBytes == kComponentBytes);

// Byte offsets in a component.
inline constexpr std::size_t kStripeSizeAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_STRIPE_SIZE");
inline constexpr std::size_t kStripeCountAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_STRIPE_COUNT");
inline constexpr std::size_t kPatternAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_STRIPE_PATTERN");
inline constexpr std::size_t kFlagsAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_FLAGS");
inline constexpr std::size_t kExtStartAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_EXT_START");
inline constexpr std::size_t kExtEndAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_EXT_END");
inline constexpr std::size_t kMirrorIdAt = 8 * slot_of(kComponentCounters, "LUSTRE_COMP_MIRROR_ID");

// LUSTRE_COMP_STRIPE_PATTERN.
inline constexpr std::int64_t kPatternRaid0 = 0;
inline constexpr std::int64_t kPatternMdt = 2;
inline constexpr std::int64_t kPatternOverstriped = 4;
inline constexpr std::int64_t kPatternForeign = 8;

// Bits of LUSTRE_COMP_FLAGS, by number.
enum class FlagBit : std::uint8_t {
  kStale,
  kPreferRead,
  kPreferWrite,
  kOffline,
  kInit,
  kNoSync,
  kExtension,
  kParity,
  kCompressed,
  kPartial,
  kNoCompression,
  kNegative,
};
inline constexpr std::size_t kFlagBits = 12;
static_assert(static_cast<std::size_t>(FlagBit::kNegative) + 1 == kFlagBits);

inline constexpr Field kFields[] = {
    {"num_comps", Field::Type::kI64, kNumCompsAt, 8, "components that follow"},
    {"num_stripes", Field::Type::kI64, kNumStripesAt, 8, "target indices behind the components"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 8,
    .name = "LUSTRE",
    .prefix = "LUSTRE",
    .version = 2,
    .shape = Shape::kWhole,
    .head_bytes = kHeadBytes,
    .counters_at = kHeadBytes,
    .counters = {},  // the head has none; see kComponentCounters
    .fields = kFields,
    .totals = false,
    .roles = {},
    .help = "where a Lustre file lies: components, stripes, storage targets",
};

}  // namespace trikal::modules::lustre
