#include "predict/machine/loops.hpp"

#include <algorithm>
#include <string>

#include "predict/machine/machine.hpp"
#include "predict/machine/pattern.hpp"
#include "predict/machine/rest_of_loop.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kLongestTrace = 3'000'000;
constexpr std::size_t kMostMarks = 20'000;
constexpr std::uint64_t kMostSteps = 3'000'000;  // steps of one loop that shows no pattern, when many were done already

}  // namespace

void Loops::start(Frame& frame, std::uint32_t loop) {
  Activation& activation = frame.loops.emplace_back();
  activation.loop = loop;
  activation.generation = generation_;
  activation.steps_at_start = machine_.budget.steps();
  for (const LedgerRow& row : machine_.ledger.rows())
    activation.ledger_at_start.emplace_back(row.use.count, row.use.bytes);
  ++recording_;
  mark(frame, activation);
}

void Loops::leave(Frame& frame, std::size_t keep) {
  while (frame.loops.size() > keep) {
    if (frame.loops.back().assumed > 0 && assumed_loops_ > 0) --assumed_loops_;
    if (recording_ > 0 && !frame.loops.back().silent) --recording_;
    frame.loops.pop_back();
  }
  if (recording_ == 0) drop_trace();
}

void Loops::leave_before(Frame& frame, std::uint32_t block) {
  std::size_t keep = frame.loops.size();
  while (keep > 0 && !frame.code->inside(block, frame.loops[keep - 1].loop)) --keep;
  leave(frame, keep);
}

void Loops::mark(Frame& frame, Activation& activation) {
  if (!traced(activation)) {  // the trace was thrown away meanwhile
    activation.marks.clear();
    activation.generation = generation_;
  }
  Activation::Mark& mark = activation.marks.emplace_back();
  mark.trace = trace_.size();
  mark.steps = machine_.budget.steps();
  for (const Phi& phi : frame.code->blocks[frame.code->loops[activation.loop].header].phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) mark.phis.push_back(frame.slots[phi.slot + i]);
  machine_.world.numbers(mark.world);
  mark.folder = std::hash<std::string>{}(machine_.world.here);
}

void Loops::next_iteration(Frame& frame) {
  Activation& activation = frame.loops.back();
  ++activation.iterations;
  if (activation.iterations < activation.run_until) return;
  if (activation.silent) activation.silent = false, ++recording_;
  if (trace_.size() > kLongestTrace) drop_trace();
  mark(frame, activation);
  if (activation.marks.size() > kMostMarks)
    activation.marks.erase(activation.marks.begin(), activation.marks.end() - 5), activation.plain = true;
  if (!activation.plain && activation.iterations >= activation.next_try) try_skipping_from(frame, activation);
  const std::uint64_t steps = machine_.budget.steps();
  if (!activation.guessed && steps > machine_.budget.exact_steps() && steps - activation.steps_at_start > kMostSteps) {
    activation.guessed = true;
    RestOfLoop(machine_, frame, activation).guess();
  }
}

void Loops::try_skipping_from(Frame& frame, Activation& activation) {
  const bool skipped = try_skipping(frame, activation);
  const std::uint64_t now = activation.iterations;
  if (!skipped) {
    activation.next_try = std::max(activation.next_try, now + std::max<std::uint64_t>(1, now / 4));
    return;
  }
  activation.marks.clear();
  mark(frame, activation);
  activation.next_try = now + 4;
}

bool Loops::try_skipping(Frame& frame, Activation& activation) {
  std::vector<std::size_t> tried, periods = {1, 2, 3, 4};
  for (std::size_t i = 0; i < periods.size() && i < 8; ++i) {
    const std::size_t period = periods[i];
    if (activation.marks.size() <= 4 * period || std::ranges::find(tried, period) != tried.end()) continue;
    tried.push_back(period);
    Pattern pattern(machine_, frame, activation, period);
    if (skip_if(pattern, pattern.periods(), frame, activation)) return true;
    if (activation.next_try > activation.iterations) return false;  // the iterations of this pattern are run
    if (pattern.wanted_period() > 1)
      periods.insert(periods.begin() + static_cast<std::ptrdiff_t>(i) + 1, pattern.wanted_period());
  }
  if (activation.marks.size() <= 4) return false;
  Pattern pattern(machine_, frame, activation, 1, true);
  return skip_if(pattern, pattern.periods(), frame, activation);
}

bool Loops::skip_if(Pattern& pattern, double periods, const Frame& frame, Activation& activation) {
  if (pattern.endless() && activation.assumed == 0) {
    machine_.note("a loop never ends (line " + std::to_string(frame.code->loops[activation.loop].line) + ")");
    throw BudgetSpent{};
  }
  if (pattern.endless() || periods < 1 || activation.assumed > 0) return false;
  const double left = periods * pattern.steps_of_a_period();
  const double to_spend = static_cast<double>(machine_.budget.exact_steps()) - static_cast<double>(exact_steps_);
  if (left < to_spend && pattern.forgets(periods)) {
    // Few enough to be run, and then what they compute is known.
    exact_steps_ += static_cast<std::uint64_t>(left);
    run_out(activation, static_cast<std::uint64_t>(periods * static_cast<double>(pattern.period())));
    return false;
  }
  pattern.skip(periods);
  return true;
}

void Loops::run_out(Activation& activation, std::uint64_t iterations) {
  activation.run_until = activation.next_try = activation.iterations + iterations;
  activation.marks.clear();
  if (recording_ != 1) return;  // loops around it compare their own iterations
  activation.silent = true;
  recording_ = 0;
  drop_trace();
}

std::uint32_t Loops::way_out(const Frame& frame, const Instruction& instruction) {
  if (frame.loops.empty() || !frame.loops.back().guessed) return kNone;
  for (const std::uint32_t target : instruction.targets)
    if (!frame.code->inside(target, frame.loops.back().loop) && !frame.code->blocks[target].hopeless) return target;
  return kNone;
}

std::uint32_t Loops::leave_or_stay(Frame& frame, const Instruction& instruction) {
  if (frame.loops.empty()) return kNone;
  Activation& loop = frame.loops.back();
  const bool first = frame.code->inside(instruction.targets[0], loop.loop);
  const bool second = frame.code->inside(instruction.targets[1], loop.loop);
  if (first == second) return kNone;
  const std::uint32_t stay = instruction.targets[first ? 0 : 1], go = instruction.targets[first ? 1 : 0];
  if (frame.code->blocks[go].hopeless) return stay;
  CauseText& cause = machine_.causes[frame[instruction.operands[0]].cause];
  ++cause.forks;
  if (loop.assumed == 0) ++assumed_loops_;
  if (loop.assumed == 0) machine_.note("the end of a loop is not known: " + cause.what);
  return ++loop.assumed > machine_.setting.assumed_iterations ? go : stay;
}

void Loops::keep_in_step(const CallStack& stack) {
  for (Frame* frame : stack.frames)
    for (Activation& one : frame->loops) one.plain = one.in_step = true;
}

}  // namespace trikal::predict
