#pragma once
// What operations make of known numbers. Who calls has looked at causes already.

#include <optional>

#include "predict/machine/code.hpp"

namespace trikal::predict {

// Floating point by its bits: a float in the lowest 32, everything else as a double.
[[nodiscard]] double real_from(Word bits, Number number);
[[nodiscard]] Word bits_from(double value, Number number);

// Nothing: it has no result (a division by zero), or is not known to us.
[[nodiscard]] std::optional<Word> binary(unsigned opcode, Word a, Word b, unsigned width, Number number);
[[nodiscard]] std::optional<Word> converted(const Instruction& cast, Word from);
[[nodiscard]] bool compared(unsigned predicate, Word a, Word b, unsigned width);
[[nodiscard]] bool compared(unsigned predicate, double a, double b);

}  // namespace trikal::predict
