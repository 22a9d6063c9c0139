// Loops: each turn leaves a mark in the trace, and once there are enough of them the rest may be skipped.

#include <cmath>
#include <numeric>

#include "predict/machine/pattern.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kLongestTrace = 3'000'000;
constexpr std::size_t kMostMarks = 20'000;
constexpr std::uint64_t kPatience = 3'000'000;  // steps of one loop that shows no pattern

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
    frame.loops.pop_back();
    if (recording_ > 0) --recording_;
  }
  if (recording_ == 0) trace.clear();
}

void Machine::mark(Frame& frame, Activation& activation) {
  if (activation.generation != generation_) {  // the trace was thrown away meanwhile
    activation.marks.clear();
    activation.generation = generation_;
  }
  Activation::Mark& mark = activation.marks.emplace_back();
  mark.trace = trace.size();
  for (const Phi& phi : frame.code->blocks[frame.code->loops[activation.loop].header].phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) mark.phis.push_back(frame.places[phi.place + i]);
  world.numbers(mark.world);
}

void Machine::turn(Frame& frame) {
  Activation& activation = frame.loops.back();
  ++activation.turns;
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
      activation.next_try = activation.turns + std::max<std::uint64_t>(1, activation.turns / 4);
    }
  }
  if (!activation.guessed && steps - activation.steps_at_start > kPatience) guess_the_rest(frame, activation);
}

bool Machine::try_skipping(Frame& frame, Activation& activation) {
  std::vector<std::size_t> tried, periods = {1, 2, 3, 4};
  for (std::size_t i = 0; i < periods.size() && i < 8; ++i) {
    const std::size_t period = periods[i];
    if (activation.marks.size() <= 4 * period || std::ranges::find(tried, period) != tried.end()) continue;
    tried.push_back(period);
    Pattern pattern(*this, frame, activation, period);
    if (skip_if(pattern, pattern.periods(), frame, activation)) return true;
    if (pattern.wanted_period() > 1)
      periods.insert(periods.begin() + static_cast<std::ptrdiff_t>(i) + 1, pattern.wanted_period());
  }
  if (activation.marks.size() <= 4) return false;
  Pattern pattern(*this, frame, activation, 1, true);
  return skip_if(pattern, pattern.periods(), frame, activation);
}

bool Machine::skip_if(Pattern& pattern, double periods, const Frame& frame, const Activation& activation) {
  if (pattern.endless() && activation.assumed == 0) {
    note("a loop never ends (line " + std::to_string(frame.code->loops[activation.loop].line) + ")");
    throw Exhausted{};
  }
  if (pattern.endless() || periods < 1) return false;
  pattern.skip(periods);
  return true;
}

std::set<std::uint32_t> Machine::exit_tests(const Frame& frame, const Activation& activation) const {
  std::set<std::uint32_t> tests;
  for (std::uint32_t number = 0; number < frame.code->blocks.size(); ++number) {
    if (!frame.code->inside(number, activation.loop)) continue;
    const Block& block = frame.code->blocks[number];
    const Instruction& last = block.instructions.back();
    if (last.targets.size() != 2 || last.operands.empty()) continue;
    if (frame.code->inside(last.targets[0], activation.loop) == frame.code->inside(last.targets[1], activation.loop))
      continue;
    for (const Instruction& one : block.instructions)
      if (static_cast<Operand>(one.place) == last.operands[0] && one.scalars == 1) tests.insert(one.id);
  }
  return tests;
}

// A loop without a pattern that takes too long: as many turns as its test says are left, each like those before.
void Machine::guess_the_rest(Frame& frame, Activation& activation) {
  activation.guessed = true;
  const std::set<std::uint32_t> tests = exit_tests(frame, activation);
  double left = 0;
  for (const std::uint32_t test : tests) {
    std::vector<double> distance;
    for (std::size_t i = trace.size(); i > 0 && distance.size() < 2; --i) {
      const Event& event = trace[i - 1];
      if (event.kind == Happened::kCompare && event.id == test)
        distance.push_back(static_cast<double>(with_sign(event.a - event.b, event.width)));
    }
    if (distance.size() == 2 && distance[0] != distance[1])
      left = std::max(left, std::abs(distance[0] / (distance[0] - distance[1])));
  }
  note("a loop shows no pattern; its turns are counted as like those seen (line " +
       std::to_string(frame.code->loops[activation.loop].line) + ")");
  if (left <= 0 || activation.turns == 0) return;
  const double share = left / static_cast<double>(activation.turns);
  for (std::uint32_t row = 0; row < ledger.rows().size(); ++row) {
    const auto before = row < activation.ledger_at_start.size() ? activation.ledger_at_start[row] : std::pair(0.0, 0.0);
    PredictedUse& use = ledger.at(row).use;
    const double count = use.count - before.first, bytes = use.bytes - before.second;
    if (count == 0) continue;
    use.count += share * count, use.bytes += share * bytes;
    use.certainty = Certainty::kAssumed;
  }
  skipped_turns += static_cast<std::uint64_t>(left);
}

}  // namespace trikal::predict
