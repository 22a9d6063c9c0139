#pragma once
// std::filesystem::path in memory: its text, a std::string, and the list of its parts, which the headers look at.

#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

inline constexpr Word kPathBytes = 40;

// A path comes to be where there was none; its text may not be known.
void make_path(Machine& machine, const Call& call, Word address, const std::string& text, bool known = true);
// One that is there gets another text.
void change_path(Machine& machine, const Call& call, Word address, const std::string& text);

}  // namespace trikal::predict
