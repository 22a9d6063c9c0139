#pragma once
// What models of libstdc++ share.

#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

[[nodiscard]] bool read_string(Machine& machine, Value object, std::string& out);
void write_string(Machine& machine, const Call& call, Value object, const std::string& text, bool known);

// A stream can be asked for its line end.
void give_facet(Machine& machine, Word stream);

}  // namespace trikal::predict
