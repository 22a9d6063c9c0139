#include "analyze/compare/value.hpp"

#include <algorithm>
#include <cmath>

namespace trikal::analyze {
namespace {

// Distance and the larger magnitude. Integers are subtracted as such: doubles would lose the last digits.
struct Gap {
  double distance = 0;
  double larger = 0;
};

double magnitude(std::int64_t value) { return std::fabs(static_cast<double>(value)); }
double magnitude(std::uint64_t value) { return static_cast<double>(value); }
double magnitude(double value) { return std::fabs(value); }

template <class T>
double distance(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(a - b);
  } else {
    const auto low = static_cast<std::uint64_t>(std::min(a, b));
    return static_cast<double>(static_cast<std::uint64_t>(std::max(a, b)) - low);
  }
}

template <class T>
Gap gap(T a, T b) {
  return {distance(a, b), std::max(magnitude(a), magnitude(b))};
}

bool numbers(const Value& a, const Value& b, Gap& out) {
  if (a.index() != b.index()) return false;
  if (const auto* i = std::get_if<std::int64_t>(&a)) return out = gap(*i, std::get<std::int64_t>(b)), true;
  if (const auto* u = std::get_if<std::uint64_t>(&a)) return out = gap(*u, std::get<std::uint64_t>(b)), true;
  if (const auto* d = std::get_if<double>(&a)) {
    const double other = std::get<double>(b);
    if (!std::isfinite(*d) || !std::isfinite(other)) return false;
    return out = gap(*d, other), true;
  }
  return false;
}

bool both_nan(const Value& a, const Value& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  return x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y);
}

}  // namespace

double relative_change(const Value& a, const Value& b) {
  Gap apart;
  if (!numbers(a, b, apart)) return a == b || both_nan(a, b) ? 0 : 1;
  return apart.larger > 0 ? std::min(1.0, apart.distance / apart.larger) : 0;
}

bool same(const Value& a, const Value& b, const Tolerance& tolerance) {
  if (a == b || both_nan(a, b)) return true;
  Gap apart;
  if (!numbers(a, b, apart)) return false;
  // With no tolerance, unlike integers stay unlike even where their distance rounds to nothing.
  return (tolerance.absolute > 0 && apart.distance <= tolerance.absolute) ||
         (tolerance.relative > 0 && apart.distance <= tolerance.relative * apart.larger);
}

bool depends_on_time(Unit unit, Fold fold) {
  if (unit == Unit::kSeconds || unit == Unit::kTimestamp) return true;
  switch (fold) {
    case Fold::kWithMaxRead:
    case Fold::kWithMaxWrite:
    case Fold::kFastestRank:
    case Fold::kFastestBytes:
    case Fold::kFastestTime:
    case Fold::kSlowestRank:
    case Fold::kSlowestBytes:
    case Fold::kSlowestTime:
    case Fold::kVarianceTime: return true;
    default: return false;
  }
}

}  // namespace trikal::analyze
