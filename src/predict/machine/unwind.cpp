// Ways out of functions that are not returns: exceptions on the way to their handlers, and longjmp.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Demangle/Demangle.h>

#include <algorithm>

#include "predict/blocks/tree.hpp"
#include "predict/machine/machine.hpp"
#include "predict/models/cpp_exceptions.hpp"

namespace trikal::predict {

std::string Machine::where(const Call& call) const {
  std::string text;
  const auto add = [&](const llvm::Instruction* at) {
    const Place place = place_of(*at);
    text += (text.empty() ? "" : ", called at ") + place.source.substr(place.source.rfind('/') + 1) + ":" +
            std::to_string(place.line);
  };
  add(call.at.ir);
  for (std::uint32_t context = call.frame.context; context != 0; context = contexts[context].parent)
    add(contexts[context].call);
  return text;
}

void Machine::stop(const Call& call, const std::string& why) {
  note(why + " at " + where(call) + ", and what comes after it is not predicted");
  complete = false;
  leave(1);
}

void Machine::terminate(const Call& call, const std::string& why) {
  constexpr int kAborted = 134;
  note(why + ": the program ends with status " + std::to_string(kAborted) + " at " + where(call));
  leave(kAborted);
}

// Who takes it is known before anything on the way is cleaned up: without a handler nothing is.
void Machine::raise(const Call& call, Word exception) {
  const bool caught = std::ranges::any_of(
      handlers_, [&](const llvm::LandingPadInst* pad) { return selected(*this, *pad, exception, false).has_value(); });
  if (!caught)
    terminate(call, "nobody catches " +
                        llvm::demangle("_ZTS" + type_of_exception(exception)).substr(sizeof "typeinfo name for " - 1));
  throw Unwinding{exception};
}

// A call with a handler: where it goes on.
std::uint32_t Machine::run_invoke(Frame& frame, const Instruction& instruction) {
  const auto* ir = llvm::cast<llvm::InvokeInst>(instruction.ir);
  const llvm::LandingPadInst* pad = ir->getLandingPadInst();
  const std::size_t outside = handlers_.size();
  handlers_.push_back(pad);
  std::optional<Unwinding> thrown;
  try {
    execute(frame, instruction);
  } catch (const Unwinding& one) {
    thrown = one;
  } catch (...) {
    handlers_.resize(outside);
    throw;
  }
  handlers_.resize(outside);
  if (!thrown) return instruction.targets[0];
  const auto selector = selected(*this, *pad, thrown->exception);
  if (!selector && !pad->isCleanup()) throw *thrown;
  landed_ = {Value::of(thrown->exception), Value::of(lowest(static_cast<Word>(selector.value_or(0)), 32))};
  return instruction.targets[1];
}

void Machine::land(Frame& frame, const Instruction& instruction) {
  for (std::uint32_t i = 0; i < instruction.scalars && i < landed_.size(); ++i)
    frame.places[instruction.place + i] = landed_[i];
}

void Machine::jump_back(const Call& call, Word buffer, Value value) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    for (const auto& [marked, at] : (*frame)->marks)
      if (marked == buffer) throw LongJump{*frame, at, value};
  stop(call, "longjmp goes to a function that has ended");
}

// Behind the setjmp of this function once more, in the turns of the loops around it.
Machine::Resumed Machine::resume(Frame& frame, const LongJump& jump) {
  const auto holds = [&](const Block& block) {
    return jump.at >= block.instructions.data() && jump.at < block.instructions.data() + block.instructions.size();
  };
  const auto& blocks = frame.code->blocks;
  const auto here = std::ranges::find_if(blocks, holds);
  const auto number = static_cast<std::uint32_t>(here - blocks.begin());
  std::size_t keep = frame.loops.size();
  while (keep > 0 && !frame.code->inside(number, frame.loops[keep - 1].loop)) --keep;
  forget_loops(frame, keep);
  frame.places[jump.at->place] = jump.value;
  return {number, static_cast<std::size_t>(jump.at - here->instructions.data()) + 1};
}

}  // namespace trikal::predict
