#pragma once
// What the two traces, DXT_POSIX and DXT_MPIIO, have in common: one record a file and rank, a head with the
// host's name and two counts, then all writes and all reads, a segment each.

#include <algorithm>
#include <cstddef>

#include "schema/form.hpp"
#include "schema/module.hpp"

namespace trikal::modules::dxt {

inline constexpr std::uint32_t kHeadBytes = 104;
inline constexpr std::uint32_t kSharedAt = 16;
inline constexpr std::uint32_t kHostAt = 24;
inline constexpr std::uint32_t kHostBytes = 64;
inline constexpr std::uint32_t kWritesAt = 88;
inline constexpr std::uint32_t kReadsAt = 96;

// One access, as it lies in memory and in the newest form. Writes come first.
struct Segment {
  std::int64_t offset;  // -1: the log does not say
  std::int64_t length;
  double start;
  double end;
  std::uint64_t thread;  // 0: the log does not say
};
inline constexpr std::uint32_t kSegmentBytes = 40;
inline constexpr std::uint32_t kThreadlessBytes = 32;  // all released versions: no thread
static_assert(sizeof(Segment) == kSegmentBytes && offsetof(Segment, thread) == kThreadlessBytes);

inline constexpr Field kFields[] = {
    {"shared_record", Field::Type::kI64, kSharedAt, 8, "always 0: traces are never folded over ranks"},
    {"hostname", Field::Type::kText, kHostAt, kHostBytes, "the node the rank ran on"},
    {"write_count", Field::Type::kI64, kWritesAt, 8, "writes traced"},
    {"read_count", Field::Type::kI64, kReadsAt, 8, "reads traced"},
};

constexpr ModuleSchema schema_of(ModuleId id, std::string_view name, std::uint32_t version, std::string_view help) {
  return {
      .id = id,
      .name = name,
      .prefix = name,
      .version = version,
      .shape = Shape::kSliced,
      .head_bytes = kHeadBytes,
      .counters_at = kHeadBytes,
      .counters = {},
      .fields = kFields,
      .totals = false,
      .roles = {},
      .help = help,
  };
}

template <std::uint32_t ItemBytes>
Result<Tail> tail(const std::byte* head) {
  const auto writes = load<std::int64_t>(head + kWritesAt);
  const auto reads = load<std::int64_t>(head + kReadsAt);
  if (!believable(writes) || !believable(reads) || !believable(writes + reads)) {
    return Error{.code = ErrorCode::kDamaged, .what = "a trace record has an impossible number of segments"};
  }
  return Tail{.items = static_cast<std::uint64_t>(writes + reads), .item_bytes = ItemBytes};
}

// All but the host's name.
inline void swap_head(std::byte* head) {
  swap_words(head, kHostAt / 8);
  swap_words(head + kWritesAt, 2);
}

// The thread came in after the last release; where it is missing it reads 0.
inline void add_thread(const std::byte* old, std::uint64_t count, std::byte* now) {
  for (; count > 0; --count, old += kThreadlessBytes, now += kSegmentBytes) {
    std::memcpy(now, old, kThreadlessBytes);
    store(now + kThreadlessBytes, std::uint64_t{0});
  }
}

constexpr Form threadless_form(std::uint32_t version, decltype(Form::widen) widen = add_thread) {
  return {.version = version,
          .head_bytes = kHeadBytes,
          .tail = tail<kThreadlessBytes>,
          .swap_head = swap_head,
          .widen = widen};
}
constexpr Form newest_form(std::uint32_t version) {
  return {.version = version, .head_bytes = kHeadBytes, .tail = tail<kSegmentBytes>, .swap_head = swap_head};
}

// Writes come first: what is missing is missing from the reads.
inline void trim(std::byte* head, std::uint64_t items) {
  const auto writes = std::min(load<std::uint64_t>(head + kWritesAt), items);
  store(head + kWritesAt, writes);
  store(head + kReadsAt, items - writes);
}

inline void shift_items(std::byte* items, std::uint64_t count, double seconds) {
  for (; count > 0; --count, items += kSegmentBytes) {
    for (const std::size_t at : {offsetof(Segment, start), offsetof(Segment, end)}) {
      store(items + at, load<double>(items + at) + seconds);
    }
  }
}

inline constexpr Rewrite kRewrite = {.trim = trim, .shift_items = shift_items};

}  // namespace trikal::modules::dxt
