#pragma once
// What models of MPI share with those of libraries above it.

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// Whether a communicator has one rank only, by what it is: MPI_COMM_SELF.
[[nodiscard]] bool alone(Machine& machine, Value communicator);

}  // namespace trikal::predict
