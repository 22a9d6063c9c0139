// Loops: each turn leaves a mark in the trace, and once there are enough of them the rest may be skipped.

#include <cmath>
#include <numeric>

#include "predict/machine/pattern.hpp"
#include "predict/machine/team.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kLongestTrace = 3'000'000;
constexpr std::size_t kMostMarks = 20'000;
constexpr std::uint64_t kMostSteps = 3'000'000;  // steps of one loop that shows no pattern, when many were done already

}  // namespace

void Machine::start_loop(Frame& frame, std::uint32_t loop) {
  Activation& activation = frame.loops.emplace_back();
  activation.loop = loop;
  activation.generation = generation_;
  activation.steps_at_start = steps;
  for (const LedgerRow& row : ledger.rows()) activation.ledger_at_start.emplace_back(row.use.count, row.use.bytes);
  ++recording_;
  mark(frame, activation);
}

void Machine::forget_loops(Frame& frame, std::size_t keep) {
  while (frame.loops.size() > keep) {
    if (frame.loops.back().assumed > 0 && assumed_loops_ > 0) --assumed_loops_;
    if (recording_ > 0 && !frame.loops.back().silent) --recording_;
    frame.loops.pop_back();
  }
  if (recording_ == 0) trace.clear(), ++generation_;
}

void Machine::mark(Frame& frame, Activation& activation) {
  if (activation.generation != generation_) {  // the trace was thrown away meanwhile
    activation.marks.clear();
    activation.generation = generation_;
  }
  Activation::Mark& mark = activation.marks.emplace_back();
  mark.trace = trace.size();
  mark.steps = steps;
  for (const Phi& phi : frame.code->blocks[frame.code->loops[activation.loop].header].phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) mark.phis.push_back(frame.places[phi.place + i]);
  world.numbers(mark.world);
  mark.folder = std::hash<std::string>{}(world.here);
}

void Machine::turn(Frame& frame) {
  Activation& activation = frame.loops.back();
  ++activation.turns;
  if (activation.turns < activation.run_until) return;
  if (activation.silent) activation.silent = false, ++recording_;
  if (trace.size() > kLongestTrace) {
    trace.clear();
    ++generation_;
  }
  mark(frame, activation);
  if (activation.marks.size() > kMostMarks)
    activation.marks.erase(activation.marks.begin(), activation.marks.end() - 5), activation.plain = true;
  if (!activation.plain && activation.turns >= activation.next_try) {
    if (try_skipping(frame, activation)) {
      activation.marks.clear();
      mark(frame, activation);
      activation.next_try = activation.turns + 4;
    } else {
      activation.next_try =
          std::max(activation.next_try, activation.turns + std::max<std::uint64_t>(1, activation.turns / 4));
    }
  }
  if (!activation.guessed && steps > setting.exact_steps && steps - activation.steps_at_start > kMostSteps)
    guess_the_rest(frame, activation);
}

bool Machine::try_skipping(Frame& frame, Activation& activation) {
  std::vector<std::size_t> tried, periods = {1, 2, 3, 4};
  for (std::size_t i = 0; i < periods.size() && i < 8; ++i) {
    const std::size_t period = periods[i];
    if (activation.marks.size() <= 4 * period || std::ranges::find(tried, period) != tried.end()) continue;
    tried.push_back(period);
    Pattern pattern(*this, frame, activation, period);
    if (skip_if(pattern, pattern.periods(), frame, activation)) return true;
    if (activation.next_try > activation.turns) return false;  // the turns of this pattern are run
    if (pattern.wanted_period() > 1)
      periods.insert(periods.begin() + static_cast<std::ptrdiff_t>(i) + 1, pattern.wanted_period());
  }
  if (activation.marks.size() <= 4) return false;
  Pattern pattern(*this, frame, activation, 1, true);
  return skip_if(pattern, pattern.periods(), frame, activation);
}

bool Machine::skip_if(Pattern& pattern, double periods, const Frame& frame, Activation& activation) {
  if (pattern.endless() && activation.assumed == 0) {
    note("a loop never ends (line " + std::to_string(frame.code->loops[activation.loop].line) + ")");
    throw Exhausted{};
  }
  if (pattern.endless() || periods < 1 || activation.assumed > 0) return false;
  const double left = periods * pattern.steps_of_a_period();
  if (left < static_cast<double>(setting.exact_steps) - static_cast<double>(exact_steps_) && pattern.forgets(periods)) {
    // Few enough to be run, and then what they compute is known.
    exact_steps_ += static_cast<std::uint64_t>(left);
    run_out(activation, static_cast<std::uint64_t>(periods * static_cast<double>(pattern.period())));
    return false;
  }
  pattern.skip(periods);
  return true;
}

void Machine::run_out(Activation& activation, std::uint64_t turns) {
  activation.run_until = activation.next_try = activation.turns + turns;
  activation.marks.clear();
  if (recording_ != 1) return;  // loops around it compare their own turns
  activation.silent = true;
  recording_ = 0;
  trace.clear(), ++generation_;
}

Machine::Strand Machine::strand() const { return {depth_, stack_, memory.watcher, written_, frames_, handlers_}; }

void Machine::go_on_as(Strand strand) {
  depth_ = strand.depth, stack_ = strand.stack;
  memory.watcher = strand.watcher;
  written_ = std::move(strand.written), frames_ = std::move(strand.frames);
  handlers_ = std::move(strand.handlers);
}

void Machine::keep_in_step() {
  for (Frame* frame : frames_)
    for (Activation& one : frame->loops) one.plain = one.in_step = true;
}

bool Machine::follows_another() const { return team != nullptr && team->number() != 0; }

// What the turns that the trace still knows did, for each of the turns that are left.
void Machine::guess_work(const Activation& activation, double left) {
  if (activation.generation != generation_ || activation.marks.size() < 2) return;
  const double share = left / static_cast<double>(activation.marks.size() - 1);
  const std::size_t end = activation.marks.back().trace;
  for (std::size_t i = activation.marks.front().trace; i < end; ++i) {
    const Event& one = trace[i];
    if (one.kind == Happened::kBlock) tallies.counts[one.id] += share * one.weight;
    else if (one.kind == Happened::kBlocks) tallies.counts[one.id] += share * std::bit_cast<double>(one.a);
  }
}

}  // namespace trikal::predict
