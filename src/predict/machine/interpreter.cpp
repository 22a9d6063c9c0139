#include "predict/machine/interpreter.hpp"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

using Op = llvm::Instruction;

namespace {

// Whether the way that an assumption rules out would call anything, and come back to the same loop: then both are tried.
bool worth_trying(const Frame& frame, std::uint32_t from, std::uint32_t taken, std::uint32_t other) {
  const Code& code = *frame.code;
  const std::uint32_t loop = code.blocks[from].loop, join = code.blocks[from].joined;
  if (code.blocks[other].hopeless) return false;
  if (loop != kNone && code.inside(other, loop) != code.inside(taken, loop)) {
    // Whether to go on: of a loop that would not begin one iteration is tried.
    const bool begins = code.inside(other, loop) && !frame.loops.empty() && frame.loops.back().iterations == 0;
    if (!begins) return false;
  }
  std::vector<std::uint32_t> left = {other};
  std::vector<bool> seen(code.blocks.size());
  while (!left.empty()) {
    const std::uint32_t at = left.back();
    left.pop_back();
    if (at == join || seen[at] || code.blocks[at].hopeless) continue;
    seen[at] = true;
    for (const Instruction& one : code.blocks[at].instructions)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(one.ir);
          call != nullptr && !call->onlyReadsMemory() &&
          (call->getCalledFunction() == nullptr || !call->getCalledFunction()->isIntrinsic()))
        return true;
    for (const std::uint32_t next : code.blocks[at].instructions.back().targets) left.push_back(next);
  }
  return false;
}

}  // namespace

// A function that is being run, until it is left, however that comes.
class Interpreter::Inside {
 public:
  Inside(Machine& machine, Frame& frame) : machine_(machine), frame_(frame), top_(machine.stack.top) {
    ++machine_.stack.depth;
    machine_.stack.frames.push_back(&frame_);
  }
  ~Inside() {
    --machine_.stack.depth;
    if (frame_.in_doubt) machine_.doubts.end();
    machine_.stack.frames.pop_back();
    machine_.loops.leave(frame_, 0);
    machine_.stack.top = top_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Machine& machine_;
  Frame& frame_;
  Word top_;
};

std::vector<Value> Interpreter::enter(const llvm::Function& function, std::span<const Value> arguments,
                                      std::span<const Value> rest, std::uint32_t context) {
  const Code& code = machine_.decoder.code_of(function);
  Frame frame;
  frame.code = &code;
  frame.slots.resize(code.slots);
  frame.rest.assign(rest.begin(), rest.end());
  frame.context = context;
  frame.tally = machine_.tallies.of_code(context, code);
  std::ranges::copy(arguments.first(std::min<std::size_t>(arguments.size(), code.arguments)), frame.slots.begin());
  const Inside inside(machine_, frame);
  Outcome outcome = run(frame, 0, kNone, kNone);
  if (frame.in_doubt)
    for (Value& value : outcome.values) value.rest_on(machine_.doubts.now());
  return std::move(outcome.values);
}

Interpreter::Position Interpreter::position() const {
  return {machine_.stack.depth, machine_.stack.top, machine_.loops.recorded()};
}

void Interpreter::return_to(const Position& position) {
  machine_.stack.depth = position.depth, machine_.stack.top = position.top;
  machine_.loops.put_back_recorded(position.recorded);
}

void Interpreter::spend(const Frame& frame, const Block& block) {
  const auto number = frame.tally + static_cast<std::uint32_t>(&block - frame.code->blocks.data());
  machine_.tallies.counts[number] += machine_.weight();
  machine_.event({Happened::kBlock, false, false, 64, 0, number});
  machine_.budget.spend(block.instructions.size() + 1);
}

void Interpreter::choose_phis(Frame& frame, const Block& block, std::uint32_t from) {
  if (block.phis.empty()) return;
  chosen_.clear();
  for (const Phi& phi : block.phis) {
    const auto found = std::ranges::find(phi.from, from, &std::pair<std::uint32_t, Operand>::first);
    for (std::uint32_t i = 0; i < phi.scalars; ++i)
      chosen_.push_back(found != phi.from.end() ? frame[part(found->second, i)] : Value{});
  }
  if (const Doubt doubt = machine_.doubts.now(); doubt != 0)
    for (Value& value : chosen_) value.rest_on(doubt);
  std::size_t next = 0;
  for (const Phi& phi : block.phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) frame.slots[phi.slot + i] = chosen_[next++];
}

void Interpreter::arrive(Frame& frame, std::uint32_t block, std::uint32_t from, bool joined) {
  const Code& code = *frame.code;
  const Block& here = code.blocks[block];
  machine_.loops.leave_before(frame, block);
  if (!joined) choose_phis(frame, here, from);
  if (frame.in_doubt && block == frame.doubt_ends) {
    frame.in_doubt = false;
    machine_.doubts.end();
  }
  if (!here.header) return;
  const bool again =
      !frame.loops.empty() && frame.loops.back().loop == here.loop && from != kNone && code.inside(from, here.loop);
  if (again) machine_.loops.next_iteration(frame);
  else machine_.loops.start(frame, here.loop);
}

Outcome Interpreter::returned(const Frame& frame, const Instruction& instruction) const {
  Outcome outcome;
  if (instruction.operands.empty()) return outcome;
  const std::size_t count = machine_.decoder.parts_of(instruction.ir->getOperand(0)->getType()).size();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, count); ++i)
    outcome.values.push_back(frame[part(instruction.operands[0], i)]);
  return outcome;
}

Outcome Interpreter::run(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop) {
  bool joined = false;  // a fork ended before this block, and its phis are chosen
  std::size_t first = 0;  // instruction of the block: not the first where longjmp came back
  while (true) {
    if (first == 0 && block == stop && from != kNone) {
      if (!joined) choose_phis(frame, frame.code->blocks[block], from);
      return {true, {}};
    }
    if (first == 0) {
      arrive(frame, block, from, joined);
      spend(frame, frame.code->blocks[block]);
    }
    std::optional<LongJump> back;
    try {
      Jump jump = run_block(frame, block, first);
      if (jump.done) return std::move(jump.outcome);
      from = block, block = jump.to, joined = jump.joined, first = 0;
    } catch (const LongJump& one) {
      if (one.frame != &frame) throw;
      back = one;
    }
    if (!back) continue;
    const CodeLocation behind = machine_.unwinder.resume(frame, *back);
    block = behind.block, first = behind.instruction;
  }
}

void Interpreter::doubt_results(Frame& frame, const Block& block) const {
  for (const Instruction& one : block.instructions)
    for (std::uint32_t i = 0; i < one.scalars; ++i) frame.slots[one.slot + i].rest_on(machine_.doubts.now());
}

// Which way the program goes from the end of that block rests on an assumption.
void Interpreter::doubt_way(Frame& frame, std::uint32_t block, Doubt doubt) {
  if (doubt == 0 || frame.in_doubt) return;
  const Code& code = *frame.code;  // nobody predicts a program that gives up
  for (const std::uint32_t target : code.blocks[block].instructions.back().targets)
    if (code.blocks[target].hopeless) return;
  frame.in_doubt = true, frame.doubt_ends = frame.code->blocks[block].joined;
  machine_.doubts.begin(doubt);
}

void Interpreter::doubt_rest(Frame& frame, Doubt doubt) {
  if (!frame.in_doubt) machine_.doubts.begin(doubt);
  frame.in_doubt = true, frame.doubt_ends = kNone;
}

Jump Interpreter::run_block(Frame& frame, std::uint32_t block, std::size_t first) {
  const Block& here = frame.code->blocks[block];
  for (std::size_t i = first; i + 1 < here.instructions.size(); ++i)
    machine_.executor.execute(frame, here.instructions[i]);
  if (machine_.doubts.now() != 0) doubt_results(frame, here);
  const Instruction& last = here.instructions.back();
  Jump jump;
  if (last.opcode == Op::Ret) {
    jump.done = true, jump.outcome = returned(frame, last);
    return jump;
  }
  if (last.opcode != Op::Invoke) return branch(frame, last, block);
  const bool made = first == here.instructions.size();  // it was the setjmp
  jump.to = made ? last.targets[0] : machine_.unwinder.run_invoke(frame, last);
  return jump;
}

std::uint32_t Interpreter::choose(Frame& frame, const Instruction& instruction) {
  const Value value = frame[instruction.operands[0]];
  Event happened{Happened::kChoice};
  happened.id = instruction.id, happened.a = value.bits, happened.data = value.data;
  machine_.event(happened);
  for (std::size_t i = 0; i < instruction.cases.size(); ++i)
    if (lowest(instruction.cases[i], instruction.width) == lowest(value.bits, instruction.width))
      return instruction.targets[i + 1];
  return instruction.targets[0];
}

Jump Interpreter::branch(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  Jump jump;
  switch (instruction.opcode) {
    case Op::Br:
      if (instruction.targets.size() == 1) jump.to = instruction.targets[0];
      else if (const std::uint32_t way = Loops::way_out(frame, instruction); way != kNone) jump.to = way;
      else if (const Value which = frame[instruction.operands[0]]; which.known()) {
        const std::uint32_t taken = (which.bits & 1) != 0 ? 0 : 1;
        if (which.doubt != 0 && worth_trying(frame, number, instruction.targets[taken], instruction.targets[1 - taken]))
          return machine_.forks.branch(frame, instruction, number);
        doubt_way(frame, number, which.doubt);
        jump.to = instruction.targets[taken];
      } else return machine_.forks.branch(frame, instruction, number);
      return jump;
    case Op::Switch:
      if (!frame[instruction.operands[0]].known()) return machine_.forks.choose(frame, instruction, number);
      doubt_way(frame, number, frame[instruction.operands[0]].doubt);
      jump.to = choose(frame, instruction);
      return jump;
    case Op::Invoke: jump.to = instruction.targets[0]; return jump;
    case Op::Resume: throw Unwinding{frame[instruction.operands[0]].bits};  // cleaned up: on to the next
    default: machine_.leave(1);  // unreachable, or an exception that nobody catches
  }
}

CodeLocation code_location_of(const Code& code, const Instruction& instruction) {
  for (std::uint32_t number = 0; number < code.blocks.size(); ++number) {
    const std::vector<Instruction>& all = code.blocks[number].instructions;
    if (&instruction >= all.data() && &instruction < all.data() + all.size())
      return {number, static_cast<std::size_t>(&instruction - all.data())};
  }
  return {};
}

}  // namespace trikal::predict
