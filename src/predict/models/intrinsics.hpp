#pragma once
// What the families of LLVM's own functions share.

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// Of something that moves evenly this does not: it jumps.
Value jumping(Machine& machine, const Call& call, Word of, Value value);
// Of real numbers; false: not one that is known.
bool real_intrinsic(Machine& machine, Call& call, unsigned id);

}  // namespace trikal::predict
