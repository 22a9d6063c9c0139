#pragma once
// Reals as the shortest text that reads back as the same number; what every machine-readable format uses.

#include <charconv>
#include <cmath>
#include <cstdint>

#include "report/sink.hpp"

namespace trikal::report {

inline constexpr std::size_t kMaxShortest = 32;

// inf, -inf and nan are spelled so; a format that has no such numbers must ask first.
inline void put_shortest(Sink& out, double value) {
  if (std::isnan(value)) return out.put("nan");
  char* const at = out.reserve(kMaxShortest);
  out.commit(std::to_chars(at, at + kMaxShortest, value).ptr);
}

}  // namespace trikal::report
