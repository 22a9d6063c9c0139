#pragma once
// A call of something that is not part of the program.

#include <string_view>
#include <vector>

#include "predict/machine/code.hpp"

namespace trikal::predict {

class Machine;
struct Frame;

struct Call {
  const Instruction& at;
  Frame& frame;
  std::string_view name;  // of the function; a pointer to it may have been called
  std::vector<Value> arguments;
  std::vector<Value> result{Value{}};

  [[nodiscard]] Value argument(std::size_t i) const { return i < arguments.size() ? arguments[i] : Value{}; }
  void returns(Value value) { result[0] = value; }
};
using Model = void (*)(Machine& machine, Call& call);

}  // namespace trikal::predict
