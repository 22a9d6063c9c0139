#pragma once

#include "predict/machine/call.hpp"

namespace trikal::predict {

// A copy of the program goes on behind the call as the child, until it ends; then the caller goes on as the parent.
void run_child(Machine& machine, const Call& call);

}  // namespace trikal::predict
