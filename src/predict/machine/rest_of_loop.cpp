#include "predict/machine/rest_of_loop.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "predict/machine/machine.hpp"
#include "predict/machine/meeting.hpp"
#include "predict/models/inlined.hpp"

namespace trikal::predict {

RestOfLoop::RestOfLoop(Machine& machine, Frame& frame, Activation& activation)
    : machine_(machine),
      frame_(frame),
      activation_(activation),
      shape_(frame.code->loops[activation.loop]),
      since_(activation.marks.empty() ? 0 : activation.marks.front().trace) {}

std::set<std::uint32_t> RestOfLoop::exit_tests() const {
  const Code& code = *frame_.code;
  std::set<std::uint32_t> tests;
  for (std::uint32_t number = 0; number < code.blocks.size(); ++number) {
    if (!code.inside(number, activation_.loop)) continue;
    const Block& block = code.blocks[number];
    const Instruction& last = block.instructions.back();
    if (last.targets.size() != 2 || last.operands.empty()) continue;
    if (code.inside(last.targets[0], activation_.loop) == code.inside(last.targets[1], activation_.loop)) continue;
    for (const Instruction& one : block.instructions)
      if (static_cast<Operand>(one.slot) == last.operands[0] && one.scalars == 1) tests.insert(one.id);
  }
  return tests;
}

// The objects that the iterations before wrote to, and the numbers they count with.
void RestOfLoop::forget() {
  struct Reach {
    Word low = ~Word{0}, high = 0;
  };
  const Trace& trace = machine_.loops.trace();
  std::map<std::uint32_t, Reach> reached;  // by instruction
  for (std::size_t i = since_; i < trace.size(); ++i) {
    const Event& event = trace[i];
    if (event.kind != Happened::kStore && event.kind != Happened::kWrote) continue;
    Reach& reach = reached[event.id];
    reach.low = std::min(reach.low, event.a);
    reach.high = std::max(reach.high, event.a + (event.kind == Happened::kStore ? event.c : event.b));
  }
  const Block& header = frame_.code->blocks[shape_.header];
  const Value unclear = machine_.unknown(header.instructions[0], "a loop that takes too long");
  for (const auto& [id, reach] : reached) {
    const auto object = reach.high - reach.low > 8 ? machine_.object_around(reach.low) : std::nullopt;
    if (object) machine_.memory.forget(object->address, object->bytes, unclear.cause);
    else machine_.memory.forget(reach.low, reach.high - reach.low, unclear.cause);
  }
  for (const Phi& phi : header.phis)
    for (std::uint32_t k = 0; k < phi.scalars; ++k) frame_.slots[phi.slot + k] = unclear;
}

// How often a test will be asked again, if what it compares goes on to come closer as it did from the first time to the last.
double RestOfLoop::iterations_left(std::uint32_t test) const {
  const Trace& trace = machine_.loops.trace();
  double first = 0, last = 0, times = 0;
  for (std::size_t i = since_; i < trace.size(); ++i) {
    const Event& event = trace[i];
    if (event.kind != Happened::kCompare || event.id != test) continue;
    last = static_cast<double>(with_sign(event.a - event.b, event.width));
    if (times++ == 0) first = last;
  }
  return times > 1 && first != last ? std::abs(last) * (times - 1) / std::abs(first - last) : 0;
}

// What the iterations that the trace still knows did, for each of those that are left.
void RestOfLoop::count_work(double left) {
  if (!machine_.loops.traced(activation_) || activation_.marks.size() < 2) return;
  const Trace& trace = machine_.loops.trace();
  std::vector<double>& counts = machine_.tallies.counts;
  const double share = left / static_cast<double>(activation_.marks.size() - 1);
  const std::size_t end = activation_.marks.back().trace;
  for (std::size_t i = since_; i < end; ++i) {
    const Event& one = trace[i];
    if (one.kind == Happened::kBlock) counts[one.id] += share * one.weight;
    else if (one.kind == Happened::kBlocks) counts[one.id] += share * std::bit_cast<double>(one.a);
  }
}

// Where a file would be after that many more bytes: one that was written at its end has grown.
void RestOfLoop::move_on(std::uint32_t number, double bytes) {
  constexpr double kLargest = 0x1p62;
  const auto more = static_cast<Word>(std::clamp(bytes, 0.0, kLargest));
  if (more == 0) return;
  File& file = machine_.world.files[number];
  file.guessed = true;
  for (Opened& one : machine_.world.opened) {
    if (one.users == 0 || one.file != number) continue;
    const bool grows = one.writes && one.position >= file.size;
    if (grows) file.size += more, file.last_written += more, file.content.reset();
    one.position = std::min(one.position + more, std::max(one.position, file.size));
  }
}

void RestOfLoop::count_operations(double share) {
  Ledger& ledger = machine_.ledger;
  const auto& at_start = activation_.ledger_at_start;
  for (std::uint32_t row = 0; row < ledger.rows().size(); ++row) {
    const auto before = row < at_start.size() ? at_start[row] : std::pair(0.0, 0.0);
    PredictedUse& use = ledger.at(row).use;
    const double count = use.count - before.first, bytes = use.bytes - before.second;
    if (count == 0) continue;
    const double grown = (use.count + share * count) / use.count;
    use.count *= grown, use.bytes += share * bytes;
    use.sequential *= grown, use.consecutive *= grown, use.switches *= grown;
    use.certainty = Certainty::kAssumed;
    move_on(ledger.at(row).key.file, share * bytes);
  }
}

void RestOfLoop::guess() {
  if (machine_.setting.meeting != nullptr) machine_.setting.meeting->inexact = true;
  double left = 0;
  for (const std::uint32_t test : exit_tests()) left = std::max(left, iterations_left(test));
  const double share = left > 0 && activation_.iterations > 0 ? left / static_cast<double>(activation_.iterations) : 0;
  // What went through streams without a call is counted before, to be among what is like the rest.
  settle_streams(machine_, Call{frame_.code->blocks[shape_.header].instructions.back(), frame_, "", {}});
  if (activation_.in_step && machine_.threads.follows_another()) return forget();  // the first one counts for all
  count_work(left);
  forget();
  machine_.note("a loop shows no pattern; its iterations are counted as like those seen (line " +
                std::to_string(shape_.line) + ")");
  count_operations(share);
  machine_.loops.add_skipped(static_cast<std::uint64_t>(left));
}

}  // namespace trikal::predict
