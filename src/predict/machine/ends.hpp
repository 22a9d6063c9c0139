#pragma once
// What is thrown where a prediction does not go on with the next instruction.

#include "predict/machine/code.hpp"

namespace trikal::predict {

struct Frame;

struct ProgramEnd {
  int code;
};
struct BudgetSpent {};
struct Unwinding {  // an exception of the program is on its way to its handler
  Word exception;
};
struct LongJump {
  const Frame* frame;
  const Instruction* at;  // the setjmp
  Value value;
};

}  // namespace trikal::predict
