#pragma once
// From what the machine counted to what people read: accesses by call site, and sums for every block above them.

#include "predict/blocks/tree.hpp"
#include "predict/machine/machine.hpp"

namespace trikal::predict {

void sum_up(Machine& machine, analyze::Prediction& out);

}  // namespace trikal::predict
