#pragma once
// LUSTRE records on disk: version 1 (3.1.0 to 3.4.5) knows plain striping, 2 (since 3.4.6) components.

#include <algorithm>

#include "modules/lustre/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::lustre {

inline Result<Tail> tail(const std::byte* head) {
  const auto comps = load<std::int64_t>(head + kNumCompsAt);
  const auto stripes = load<std::int64_t>(head + kNumStripesAt);
  if (!believable(comps) || !believable(stripes)) {
    return Error{.code = ErrorCode::kDamaged,
                 .what = "a Lustre record has an impossible number of components or stripes"};
  }
  return Tail{.items = static_cast<std::uint64_t>(comps) * kComponentWords + static_cast<std::uint64_t>(stripes)};
}

// Items are words; a pool's name is text and stays as it is.
inline void swap_items(const std::byte* head, std::byte* items, std::uint64_t count) {
  auto comps = load<std::uint64_t>(head + kNumCompsAt);
  for (; comps > 0 && count >= kComponentWords; --comps, count -= kComponentWords) {
    swap_words(items, kPoolNameAt / 8);
    items += kComponentBytes;
  }
  swap_words(items, count);
}

// A component of stripe size -1 is a slot nobody used, and so are all behind it. Logs written while the
// job was killed have them. The targets move up. A stripe count of -1 is unknown and owns no targets; one that the
// record has no targets for is a lie.
inline Status settle(std::vector<std::byte>& record, FormState& /*state*/) {
  const auto listed = load<std::uint64_t>(record.data() + kNumCompsAt);
  const auto held = load<std::uint64_t>(record.data() + kNumStripesAt);
  std::uint64_t comps = 0;
  std::uint64_t stripes = 0;
  for (const std::byte* at = record.data() + kHeadBytes; comps < listed; ++comps, at += kComponentBytes) {
    if (load<std::int64_t>(at + kStripeSizeAt) == -1) break;
    const auto count = load<std::int64_t>(at + kStripeCountAt);
    if (count == -1) continue;
    if (count < 0 || static_cast<std::uint64_t>(count) > held - stripes) {
      return Error{.code = ErrorCode::kDamaged, .what = "a Lustre component has stripes that its record does not hold"};
    }
    stripes += static_cast<std::uint64_t>(count);
  }
  const auto first = record.begin() + kHeadBytes;
  record.erase(first + static_cast<std::ptrdiff_t>(comps * kComponentBytes),
               first + static_cast<std::ptrdiff_t>(listed * kComponentBytes));
  record.resize(kHeadBytes + comps * kComponentBytes + stripes * 8);
  store(record.data() + kNumCompsAt, comps);
  store(record.data() + kNumStripesAt, stripes);
  return {};
}

// Version 1: id, rank, OSTS, MDTS, STRIPE_OFFSET, STRIPE_SIZE, STRIPE_WIDTH, then the targets.
inline constexpr std::uint32_t kV1HeadBytes = 56;
inline constexpr std::uint32_t kV1StripeSizeAt = 40;
inline constexpr std::uint32_t kV1StripeWidthAt = 48;

inline Result<Tail> tail_v1(const std::byte* head) {
  const auto width = load<std::int64_t>(head + kV1StripeWidthAt);
  if (!believable(width)) {
    return Error{.code = ErrorCode::kDamaged, .what = "a Lustre record has an impossible stripe width"};
  }
  return Tail{.items = static_cast<std::uint64_t>(width)};
}

// 1 -> 2: the whole file is one component.
inline Status settle_v1(std::vector<std::byte>& record, FormState& /*state*/) {
  const auto size = load<std::int64_t>(record.data() + kV1StripeSizeAt);
  const auto width = load<std::int64_t>(record.data() + kV1StripeWidthAt);
  constexpr std::uint32_t kFirstTarget = kHeadBytes + kComponentBytes;
  record.insert(record.begin() + kV1HeadBytes, kFirstTarget - kV1HeadBytes, std::byte{0});
  std::byte* const comp = record.data() + kHeadBytes;
  std::fill_n(comp, kComponentBytes, std::byte{0});
  store(record.data() + kNumCompsAt, std::int64_t{1});
  store(record.data() + kNumStripesAt, width);
  store(comp + kStripeSizeAt, size);
  store(comp + kStripeCountAt, width);
  store(comp + kExtStartAt, std::int64_t{0});
  for (const std::size_t at : {kPatternAt, kFlagsAt, kExtEndAt, kMirrorIdAt}) store(comp + at, std::int64_t{-1});
  return {};
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = kV1HeadBytes, .tail = tail_v1, .settle = settle_v1},
    {.version = 2, .head_bytes = kHeadBytes, .tail = tail, .swap_items = swap_items, .settle = settle},
};
inline constexpr Rewrite kRewrite = {.alike = true};
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .rewrite = &kRewrite};

}  // namespace trikal::modules::lustre
