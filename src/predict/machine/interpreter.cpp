#include "predict/machine/interpreter.hpp"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

using Op = llvm::Instruction;

// A function that is being run, until it is left, however that comes.
class Interpreter::Inside {
 public:
  Inside(Machine& machine, Frame& frame) : machine_(machine), frame_(frame), top_(machine.stack.top) {
    ++machine_.stack.depth;
    machine_.stack.frames.push_back(&frame_);
  }
  ~Inside() {
    --machine_.stack.depth;
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
  std::size_t next = 0;
  for (const Phi& phi : block.phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) frame.slots[phi.slot + i] = chosen_[next++];
}

void Interpreter::arrive(Frame& frame, std::uint32_t block, std::uint32_t from, bool joined) {
  const Code& code = *frame.code;
  const Block& here = code.blocks[block];
  machine_.loops.leave_before(frame, block);
  if (!joined) choose_phis(frame, here, from);
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

Jump Interpreter::run_block(Frame& frame, std::uint32_t block, std::size_t first) {
  const Block& here = frame.code->blocks[block];
  for (std::size_t i = first; i + 1 < here.instructions.size(); ++i)
    machine_.executor.execute(frame, here.instructions[i]);
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
  happened.id = instruction.id, happened.a = value.bits;
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
      else if (const Value which = frame[instruction.operands[0]]; which.known())
        jump.to = instruction.targets[(which.bits & 1) != 0 ? 0 : 1];
      else return machine_.forks.branch(frame, instruction, number);
      return jump;
    case Op::Switch:
      if (!frame[instruction.operands[0]].known()) return machine_.forks.choose(frame, instruction, number);
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
