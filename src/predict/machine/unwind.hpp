#pragma once
// Ways out of functions that are not returns: exceptions on the way to their handlers, and longjmp.

#include <array>
#include <vector>

#include "predict/machine/call.hpp"
#include "predict/machine/ends.hpp"
#include "predict/machine/interpreter.hpp"

namespace trikal::predict {

class Unwinder {
 public:
  explicit Unwinder(Machine& machine) : machine_(machine) {}
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  // The program throws, or calls longjmp.
  [[noreturn]] void raise(const Call& call, Word exception);
  [[noreturn]] void jump_back(const Call& call, Word buffer, Value value);

  // A call with a handler: the block where it goes on.
  [[nodiscard]] std::uint32_t run_invoke(Frame& frame, const Instruction& instruction);
  // The first instruction of a handler: what was thrown.
  void land(Frame& frame, const Instruction& instruction) const;
  // Behind the setjmp of this function once more, in the iterations of the loops around it.
  [[nodiscard]] CodeLocation resume(Frame& frame, const LongJump& jump);

  // Of the calls that are being made, the innermost last: each thread has its own.
  using Handlers = std::vector<const llvm::LandingPadInst*>;
  [[nodiscard]] const Handlers& handlers() const { return handlers_; }
  void set_handlers(Handlers handlers) { handlers_ = std::move(handlers); }

 private:
  Machine& machine_;
  Handlers handlers_;
  std::array<Value, 2> landed_;  // the exception and what a handler knows it by
};

}  // namespace trikal::predict
