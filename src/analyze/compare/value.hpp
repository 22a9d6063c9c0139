#pragma once
// A value of a record on two sides, and how far the two are apart.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "schema/counter.hpp"

namespace trikal::analyze {

// monostate: that side has no such value.
using Value = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

enum class Side : bool { kA, kB };

struct Change {
  std::string_view name;  // as listings spell it
  Value a, b;
  Unit unit = Unit::kNone;
  double relative = 1;  // 0 to 1: how far the two are apart as a part of the larger one
};

// Two numbers are the same when they are apart by no more than either of these.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

// Part of the larger one, 0 to 1. Texts, and a value against none: 0 or 1.
[[nodiscard]] double relative_change(const Value& a, const Value& b);
[[nodiscard]] bool same(const Value& a, const Value& b, const Tolerance& tolerance);

// Whether a counter says when or how long, or is chosen by that (the fastest rank, the size of the longest read):
// no two runs agree on those.
[[nodiscard]] bool depends_on_time(Unit unit, Fold fold);

}  // namespace trikal::analyze
