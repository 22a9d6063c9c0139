#pragma once
// Rules that judge reading and writing alike.

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {

struct Direction {
  Flow Use::* flow;
  std::string_view calls, verb, to, gerund;  // "writes", "written", "written to", "writing"
};
inline constexpr Direction kReads = {&Use::read, "reads", "read", "read of", "reading"};
inline constexpr Direction kWrites = {&Use::write, "writes", "written", "written to", "writing"};

// Many accesses of less than 100 KiB, where fewer large ones would do.
void look_for_small(const Run& run, const Yardstick& yardstick, const Direction& direction, std::vector<Finding>& out);
// Accesses that jump back and forth.
void look_for_random(const Run& run, const Yardstick& yardstick, const Direction& direction, std::vector<Finding>& out);
// More bytes than the file has.
void look_for_repeats(const Run& run, const Direction& direction, std::vector<Finding>& out);

}  // namespace trikal::analyze
