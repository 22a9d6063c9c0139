#include "predict/machine/unwind.hpp"

#include <llvm/IR/Instructions.h>

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <optional>

#include "predict/machine/machine.hpp"
#include "predict/models/cpp_exceptions.hpp"

namespace trikal::predict {

// Who takes it is known before anything on the way is cleaned up: without a handler nothing is.
void Unwinder::raise(const Call& call, Word exception) {
  const bool caught = std::ranges::any_of(handlers_, [&](const llvm::LandingPadInst* pad) {
    return selected(machine_, *pad, exception, false).has_value();
  });
  if (!caught) {
    const std::string type = llvm::demangle("_ZTS" + type_of_exception(machine_, exception));
    machine_.terminate(call, "nobody catches " + type.substr(sizeof "typeinfo name for " - 1));
  }
  throw Unwinding{exception};
}

std::uint32_t Unwinder::run_invoke(Frame& frame, const Instruction& instruction) {
  const auto* ir = llvm::cast<llvm::InvokeInst>(instruction.ir);
  const llvm::LandingPadInst* pad = ir->getLandingPadInst();
  const std::size_t outside = handlers_.size();
  handlers_.push_back(pad);
  std::optional<Unwinding> thrown;
  try {
    machine_.executor.execute(frame, instruction);
  } catch (const Unwinding& one) {
    thrown = one;
  } catch (...) {
    handlers_.resize(outside);
    throw;
  }
  handlers_.resize(outside);
  if (!thrown) return instruction.targets[0];
  const auto selector = selected(machine_, *pad, thrown->exception);
  if (!selector && !pad->isCleanup()) throw *thrown;
  landed_ = {Value::of(thrown->exception), Value::of(lowest(static_cast<Word>(selector.value_or(0)), 32))};
  return instruction.targets[1];
}

void Unwinder::land(Frame& frame, const Instruction& instruction) const {
  for (std::uint32_t i = 0; i < instruction.scalars && i < landed_.size(); ++i)
    frame.slots[instruction.slot + i] = landed_[i];
}

void Unwinder::jump_back(const Call& call, Word buffer, Value value) {
  const std::vector<Frame*>& frames = machine_.stack.frames;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    for (const auto& [marked, at] : (*frame)->marks)
      if (marked == buffer) throw LongJump{*frame, at, value};
  machine_.stop(call, "longjmp goes to a function that has ended");
}

CodeLocation Unwinder::resume(Frame& frame, const LongJump& jump) {
  const CodeLocation at = code_location_of(*frame.code, *jump.at);
  machine_.loops.leave_before(frame, at.block);
  frame.slots[jump.at->slot] = jump.value;
  return {at.block, at.instruction + 1};
}

}  // namespace trikal::predict
