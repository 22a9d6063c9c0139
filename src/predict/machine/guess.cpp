// Loops that are neither understood nor short.

#include <algorithm>
#include <cmath>
#include <map>

#include "predict/machine/machine.hpp"
#include "predict/models/inlined.hpp"

namespace trikal::predict {

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

// What turns that are neither run nor understood would leave behind: the objects that the turns before wrote to, the numbers
// they count with.
void Machine::forget_rest(Frame& frame, const Activation& activation) {
  struct Reach {
    Word low = ~Word{0}, high = 0;
  };
  std::map<std::uint32_t, Reach> reached;  // by instruction
  for (std::size_t i = activation.marks.empty() ? 0 : activation.marks.front().trace; i < trace.size(); ++i) {
    const Event& event = trace[i];
    if (event.kind != Happened::kStore && event.kind != Happened::kWrote) continue;
    Reach& reach = reached[event.id];
    reach.low = std::min(reach.low, event.a);
    reach.high = std::max(reach.high, event.a + (event.kind == Happened::kStore ? event.c : event.b));
  }
  const Block& header = frame.code->blocks[frame.code->loops[activation.loop].header];
  const Value unclear = unknown(header.instructions[0], "a loop that takes too long");
  for (const auto& [id, reach] : reached) {
    const auto object = reach.high - reach.low > 8 ? object_around(reach.low) : std::nullopt;
    if (object) memory.forget(object->address, object->bytes, unclear.cause);
    else memory.forget(reach.low, reach.high - reach.low, unclear.cause);
  }
  for (const Phi& phi : header.phis)
    for (std::uint32_t k = 0; k < phi.scalars; ++k) frame.places[phi.place + k] = unclear;
}

// How often a test will be asked again, if what it compares goes on to come closer as it did from the first time to the last.
double Machine::turns_left(std::uint32_t test, std::size_t since) const {
  double first = 0, last = 0, times = 0;
  for (std::size_t i = since; i < trace.size(); ++i) {
    const Event& event = trace[i];
    if (event.kind != Happened::kCompare || event.id != test) continue;
    last = static_cast<double>(with_sign(event.a - event.b, event.width));
    if (times++ == 0) first = last;
  }
  return times > 1 && first != last ? std::abs(last) * (times - 1) / std::abs(first - last) : 0;
}

// Where a file would be after that many more bytes: one that was written at its end has grown.
void Machine::move_on(std::uint32_t number, double bytes) {
  constexpr double kLargest = 0x1p62;
  const auto more = static_cast<Word>(std::clamp(bytes, 0.0, kLargest));
  if (more == 0) return;
  File& file = world.files[number];
  file.guessed = true;
  for (Opened& one : world.opened) {
    if (one.users == 0 || one.file != number) continue;
    const bool grows = one.writes && one.position >= file.size;
    if (grows) file.size += more, file.last_written += more, file.content.reset();
    one.position = std::min(one.position + more, std::max(one.position, file.size));
  }
}

// A loop without a pattern that takes too long: as many turns as its test says are left, each like those before.
void Machine::guess_the_rest(Frame& frame, Activation& activation) {
  activation.guessed = true;
  const std::size_t since = activation.marks.empty() ? 0 : activation.marks.front().trace;
  double left = 0;
  for (const std::uint32_t test : exit_tests(frame, activation)) left = std::max(left, turns_left(test, since));
  const double share = left > 0 && activation.turns > 0 ? left / static_cast<double>(activation.turns) : 0;
  // What went through streams without a call is counted before, to be among what is like the rest.
  const Block& head = frame.code->blocks[frame.code->loops[activation.loop].header];
  settle_streams(*this, Call{head.instructions.back(), frame, "", {}});
  if (activation.in_step && follows_another()) return forget_rest(frame, activation);  // the first one counts for all
  guess_work(activation, left);
  forget_rest(frame, activation);
  note("a loop shows no pattern; its turns are counted as like those seen (line " +
       std::to_string(frame.code->loops[activation.loop].line) + ")");
  for (std::uint32_t row = 0; row < ledger.rows().size(); ++row) {
    const auto before = row < activation.ledger_at_start.size() ? activation.ledger_at_start[row] : std::pair(0.0, 0.0);
    PredictedUse& use = ledger.at(row).use;
    const double count = use.count - before.first, bytes = use.bytes - before.second;
    if (count == 0) continue;
    const double grown = (use.count + share * count) / use.count;
    use.count *= grown, use.bytes += share * bytes;
    use.sequential *= grown, use.consecutive *= grown, use.switches *= grown;
    use.certainty = Certainty::kAssumed;
    move_on(ledger.at(row).key.file, share * bytes);
  }
  skipped_turns += static_cast<std::uint64_t>(left);
}

}  // namespace trikal::predict
