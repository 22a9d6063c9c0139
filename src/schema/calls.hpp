#pragma once
// Which argument of a call is what: for those who look at calls without making them.

#include <cstdint>
#include <string_view>

namespace trikal {

enum class CallKind : std::uint8_t { kRead, kWrite };

// Indexes of arguments, counted from 0; -1: it has none.
struct CallShape {
  std::string_view name;
  CallKind kind;
  std::int8_t handle = -1;
  std::int8_t buffer = -1;
  std::int8_t bytes = -1;
  std::int8_t times = -1;   // bytes are of one element, and this says how many
  std::int8_t offset = -1;  // none: where the file stands
};

}  // namespace trikal
