// Jumps, and what happens where their condition is not known.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

using Op = llvm::Instruction;
constexpr int kMostDeepForks = 10;
constexpr std::uint64_t kMostForks = 50'000;

}  // namespace

std::uint32_t Machine::choose(Frame& frame, const Instruction& instruction) {
  const Value value = frame[instruction.operands[0]];
  Event happened{Happened::kChoice};
  happened.id = instruction.id, happened.a = value.bits;
  event(happened);
  for (std::size_t i = 0; i < instruction.cases.size(); ++i)
    if (lowest(instruction.cases[i], instruction.width) == lowest(value.bits, instruction.width))
      return instruction.targets[i + 1];
  return instruction.targets[0];
}

Machine::Jump Machine::branch(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  Jump jump;
  switch (instruction.opcode) {
    case Op::Br:
      if (instruction.targets.size() == 1) jump.to = instruction.targets[0];
      else if (const std::uint32_t way = way_out(frame, instruction); way != kNone) jump.to = way;
      else if (const Value which = frame[instruction.operands[0]]; which.known())
        jump.to = instruction.targets[(which.bits & 1) != 0 ? 0 : 1];
      else return branch_unknown(frame, instruction, number);
      return jump;
    case Op::Switch:
      if (!frame[instruction.operands[0]].known()) return choose_unknown(frame, instruction, number);
      jump.to = choose(frame, instruction);
      return jump;
    case Op::Invoke: jump.to = instruction.targets[0]; return jump;
    case Op::Resume: throw Unwinding{frame[instruction.operands[0]].bits};  // cleaned up: on to the next
    default: leave(1);  // unreachable, or an exception that nobody catches
  }
}

// Of a loop whose remaining turns were guessed: the first way that leaves it.
std::uint32_t Machine::way_out(const Frame& frame, const Instruction& instruction) {
  if (frame.loops.empty() || !frame.loops.back().guessed) return kNone;
  for (const std::uint32_t target : instruction.targets)
    if (!frame.code->inside(target, frame.loops.back().loop) && !frame.code->blocks[target].hopeless) return target;
  return kNone;
}

std::uint32_t Machine::leave_or_stay(Frame& frame, const Instruction& instruction) {
  if (frame.loops.empty()) return kNone;
  Activation& loop = frame.loops.back();
  const bool first = frame.code->inside(instruction.targets[0], loop.loop);
  const bool second = frame.code->inside(instruction.targets[1], loop.loop);
  if (first == second) return kNone;
  const std::uint32_t stay = instruction.targets[first ? 0 : 1], go = instruction.targets[first ? 1 : 0];
  if (frame.code->blocks[go].hopeless) return stay;
  const Value which = frame[instruction.operands[0]];
  ++causes[which.cause].forks;
  if (loop.assumed == 0) ++assumed_loops_;
  if (loop.assumed == 0) note("the end of a loop is not known: " + causes[which.cause].what);
  return ++loop.assumed > setting.assumed_turns ? go : stay;
}

Machine::Jump Machine::branch_unknown(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  Jump jump;
  const Code& code = *frame.code;
  const bool hopeless = code.blocks[instruction.targets[0]].hopeless;
  if (hopeless != code.blocks[instruction.targets[1]].hopeless) {  // nobody predicts a program that gives up
    jump.to = instruction.targets[hopeless ? 1 : 0];
    return jump;
  }
  if (const std::uint32_t way = leave_or_stay(frame, instruction); way != kNone) {
    jump.to = way;
    return jump;
  }
  if (fork_depth_ >= kMostDeepForks || forks >= kMostForks) {
    note("too many ways to try all of them");
    jump.to = instruction.targets[0];
    return jump;
  }
  return fork(frame, instruction, number, instruction.targets);
}

Machine::Jump Machine::choose_unknown(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  constexpr std::size_t kMostWays = 8;
  std::vector<std::uint32_t> ways;
  for (const std::uint32_t target : instruction.targets)
    if (!frame.code->blocks[target].hopeless && std::ranges::find(ways, target) == ways.end()) ways.push_back(target);
  if (ways.size() > kMostWays || fork_depth_ >= kMostDeepForks || forks >= kMostForks) {
    note("too many ways to try all of them");
    ways.resize(1);
  }
  if (ways.size() > 1) return fork(frame, instruction, number, ways);
  Jump jump;
  jump.to = ways.empty() ? instruction.targets[0] : ways[0];
  return jump;
}

Machine::Side Machine::try_side(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop,
                                double share) {
  Side side;
  const double weight = weight_;
  const Certainty certainty = certainty_;
  const int depth = depth_;
  const unsigned recording = recording_;
  const Word stack = stack_;
  weight_ *= share;
  certainty_ = Certainty::kAssumed;
  const std::size_t journal = memory.begin_journal();
  try {
    side.outcome = run(frame, block, from, stop);
  } catch (const Left&) {
    side.dead = true;
  } catch (const Unwinding&) {
    side.dead = true, side.escaped = std::current_exception();
  } catch (const LongJump&) {
    side.dead = true, side.escaped = std::current_exception();
  }
  side.pages = memory.roll_back(journal);
  side.places = frame.places;
  side.world = world;
  weight_ = weight, certainty_ = certainty, depth_ = depth, recording_ = recording, stack_ = stack;
  return side;
}

Machine::Outcome Machine::take_over(Frame& frame, Side& side) {
  memory.adopt(side.pages);
  frame.places = std::move(side.places);
  world = std::move(side.world);
  return std::move(side.outcome);
}

Machine::Outcome Machine::join(Frame& frame, Side& one, Side& other, Cause cause) {
  memory.merge(one.pages, other.pages, cause);
  for (std::size_t i = 0; i < frame.places.size(); ++i) {
    const Value &a = one.places[i], &b = other.places[i];
    frame.places[i] = a == b ? a : Value::unknown(a.known() ? b.known() ? cause : b.cause : a.cause);
  }
  world = std::move(one.world);
  Outcome outcome = std::move(one.outcome);
  for (std::size_t i = 0; i < outcome.values.size() && i < other.outcome.values.size(); ++i)
    if (!(outcome.values[i] == other.outcome.values[i])) outcome.values[i] = Value::unknown(cause);
  return outcome;
}

// Ways that end the program, or leave the function where others stay, are forgotten.
void Machine::keep_comparable(std::vector<Side>& sides) {
  const auto stays = [](const Side& side) { return !side.dead && side.outcome.end == End::kStopped; };
  const bool any = std::ranges::any_of(sides, stays);
  const auto escaped = std::ranges::find_if(sides, [](const Side& side) { return side.escaped != nullptr; });
  if (std::ranges::all_of(sides, &Side::dead) && escaped != sides.end()) std::rethrow_exception(escaped->escaped);
  if (escaped != sides.end()) note("an exception on a way that may not be taken is not followed");
  std::erase_if(sides, [&](const Side& side) { return side.dead || (any && !stays(side)); });
}

Machine::Jump Machine::fork(Frame& frame, const Instruction& instruction, std::uint32_t number,
                            const std::vector<std::uint32_t>& targets) {
  const Value which = frame[instruction.operands[0]];
  ++forks;
  ++causes[which.cause].forks;
  const std::uint32_t joined = frame.code->blocks[number].joined;
  const std::vector<Value> places = frame.places;
  const std::vector<Activation> loops = frame.loops;
  World before = world;
  std::vector<Side> sides;
  ++fork_depth_;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    event({Happened::kFork, i != 0, false, 64, 0, instruction.id});
    sides.push_back(try_side(frame, targets[i], number, joined, 1.0 / static_cast<double>(targets.size())));
    before.know(sides.back().world);  // files that it has seen have numbers
    frame.places = places, frame.loops = loops, world = before;
  }
  --fork_depth_;
  for (Side& side : sides) side.world.know(before);
  keep_comparable(sides);
  if (sides.empty()) leave(1);
  while (sides.size() > 1) {
    const std::size_t journal = memory.begin_journal();
    Side both;
    both.outcome = join(frame, sides[0], sides[1], which.cause);
    both.places = frame.places, both.world = world, both.pages = memory.roll_back(journal);
    sides.erase(sides.begin());
    sides[0] = std::move(both);
  }
  Jump jump;
  jump.outcome = take_over(frame, sides[0]);
  jump.done = jump.outcome.end == End::kReturned || joined == kNone;
  jump.to = joined, jump.joined = true;
  return jump;
}

}  // namespace trikal::predict
