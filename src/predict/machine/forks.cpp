#include "predict/machine/forks.hpp"

#include <algorithm>
#include <utility>

#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

// Why that value is not known, or not for certain.
Cause cause_of(const Machine& machine, const Value& value) {
  return value.known() ? machine.doubts.cause_of(value.doubt) : value.cause;
}

}  // namespace

bool Forks::too_many() const {
  constexpr int kDeepest = 10;
  constexpr std::uint64_t kMost = 50'000;
  return depth_ >= kDeepest || made_ >= kMost;
}

Jump Forks::branch(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  Jump jump;
  const Code& code = *frame.code;
  const bool hopeless = code.blocks[instruction.targets[0]].hopeless;
  if (hopeless != code.blocks[instruction.targets[1]].hopeless) {  // nobody predicts a program that gives up
    jump.to = instruction.targets[hopeless ? 1 : 0];
    return jump;
  }
  const Cause cause = cause_of(machine_, frame[instruction.operands[0]]);
  const bool known = frame[instruction.operands[0]].known();
  if (const std::uint32_t way = known ? kNone : machine_.loops.leave_or_stay(frame, instruction); way != kNone) {
    machine_.interpreter.doubt_way(frame, number, machine_.doubts.of(cause));
    jump.to = way;
    return jump;
  }
  if (too_many()) {
    machine_.note("too many ways to try all of them");
    machine_.interpreter.doubt_way(frame, number, machine_.doubts.of(cause));
    jump.to = instruction.targets[0];
    return jump;
  }
  return fork(frame, instruction, number, instruction.targets);
}

Jump Forks::choose(Frame& frame, const Instruction& instruction, std::uint32_t number) {
  constexpr std::size_t kMostWays = 8;
  std::vector<std::uint32_t> ways;
  for (const std::uint32_t target : instruction.targets)
    if (!frame.code->blocks[target].hopeless && std::ranges::find(ways, target) == ways.end()) ways.push_back(target);
  if (ways.size() > kMostWays || too_many()) {
    machine_.note("too many ways to try all of them");
    machine_.interpreter.doubt_way(frame, number,
                                   machine_.doubts.of(cause_of(machine_, frame[instruction.operands[0]])));
    ways.resize(1);
  }
  if (ways.size() > 1) return fork(frame, instruction, number, ways);
  Jump jump;
  jump.to = ways.empty() ? instruction.targets[0] : ways[0];
  return jump;
}

Forks::Side Forks::try_side(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop, double share) {
  Side side;
  const double weight = weight_;
  const Certainty certainty = certainty_;
  const Interpreter::Position position = machine_.interpreter.position();
  const bool in_doubt = frame.in_doubt;
  weight_ *= share;
  certainty_ = Certainty::kAssumed;
  const std::size_t journal = machine_.memory.begin_journal();
  try {
    side.outcome = machine_.interpreter.run(frame, block, from, stop);
  } catch (const ProgramEnd&) {
    side.dead = true;
  } catch (const Unwinding&) {
    side.dead = true, side.escaped = std::current_exception();
  } catch (const LongJump&) {
    side.dead = true, side.escaped = std::current_exception();
  }
  if (!in_doubt && frame.in_doubt && (side.dead || frame.doubt_ends == stop)) {  // a way of its own ends here
    frame.in_doubt = false;
    machine_.doubts.end();
  }
  side.pages = machine_.memory.roll_back(journal);
  side.slots = frame.slots;
  side.world = machine_.world;
  weight_ = weight, certainty_ = certainty;
  machine_.interpreter.return_to(position);
  return side;
}

Outcome Forks::take_over(Frame& frame, Side& side) {
  machine_.memory.adopt(side.pages);
  frame.slots = std::move(side.slots);
  machine_.world = std::move(side.world);
  return std::move(side.outcome);
}

Outcome Forks::join(Frame& frame, Side& one, Side& other, Cause cause) {
  machine_.memory.merge(one.pages, other.pages, cause);
  for (std::size_t i = 0; i < frame.slots.size(); ++i) {
    const Value &a = one.slots[i], &b = other.slots[i];
    frame.slots[i] = a == b ? a : Value::unknown(a.known() ? b.known() ? cause : b.cause : a.cause);
    frame.slots[i].rest_on(b.doubt);
  }
  machine_.world = std::move(one.world);
  Outcome outcome = std::move(one.outcome);
  for (std::size_t i = 0; i < outcome.values.size() && i < other.outcome.values.size(); ++i)
    if (!(outcome.values[i] == other.outcome.values[i])) outcome.values[i] = Value::unknown(cause);
  return outcome;
}

// Ways that end the program, or leave the function where others stay, are forgotten. Whether one was that does not give up.
bool Forks::keep_comparable(std::vector<Side>& sides) {
  const auto stays = [](const Side& side) { return !side.dead && side.outcome.stopped; };
  const bool any = std::ranges::any_of(sides, stays);
  const auto escaped = std::ranges::find_if(sides, [](const Side& side) { return side.escaped != nullptr; });
  if (std::ranges::all_of(sides, &Side::dead) && escaped != sides.end()) std::rethrow_exception(escaped->escaped);
  if (escaped != sides.end()) machine_.note("an exception on a way that may not be taken is not followed");
  const bool left = any && std::ranges::any_of(sides, [&](const Side& side) { return !side.dead && !stays(side); });
  std::erase_if(sides, [&](const Side& side) { return side.dead || (any && !stays(side)); });
  return left;
}

Jump Forks::fork(Frame& frame, const Instruction& instruction, std::uint32_t number,
                 const std::vector<std::uint32_t>& targets) {
  const Cause why = cause_of(machine_, frame[instruction.operands[0]]);
  ++made_;
  ++machine_.causes[why].forks;
  const std::uint32_t joined = frame.code->blocks[number].joined;
  const std::vector<Value> slots = frame.slots;
  const std::vector<Activation> loops = frame.loops;
  World before = machine_.world;
  std::vector<Side> sides;
  ++depth_;
  const Cause outer = std::exchange(cause_, why);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    machine_.event({Happened::kFork, i != 0, false, 64, 0, instruction.id});
    sides.push_back(try_side(frame, targets[i], number, joined, 1.0 / static_cast<double>(targets.size())));
    before.know(sides.back().world);  // files that it has seen have numbers
    frame.slots = slots, frame.loops = loops, machine_.world = before;
  }
  --depth_, cause_ = outer;
  for (Side& side : sides) side.world.know(before);
  const bool left = keep_comparable(sides);
  if (sides.empty()) machine_.leave(1);
  while (sides.size() > 1) {
    const std::size_t journal = machine_.memory.begin_journal();
    Side both;
    both.outcome = join(frame, sides[0], sides[1], why);
    both.slots = frame.slots, both.world = machine_.world, both.pages = machine_.memory.roll_back(journal);
    sides.erase(sides.begin());
    sides[0] = std::move(both);
  }
  Jump jump;
  jump.outcome = take_over(frame, sides[0]);
  jump.done = !jump.outcome.stopped || joined == kNone;
  jump.to = joined, jump.joined = true;
  // Whether the function goes on at all was assumed.
  if (left && !jump.done) machine_.interpreter.doubt_rest(frame, machine_.doubts.of(why));
  return jump;
}

}  // namespace trikal::predict
