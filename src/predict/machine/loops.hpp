#pragma once
// The loops that are being run. Each iteration leaves a mark in the trace; once there are enough of them, those that are
// left may be counted without being run.

#include <set>

#include "predict/machine/frame.hpp"
#include "predict/machine/trace.hpp"

namespace trikal::predict {

class Machine;
class Pattern;

class Loops {
 public:
  explicit Loops(Machine& machine) : machine_(machine) {}
  Loops(const Loops&) = delete;
  Loops& operator=(const Loops&) = delete;

  void start(Frame& frame, std::uint32_t loop);
  // The header of the innermost loop is reached again.
  void next_iteration(Frame& frame);
  // All but the outermost `keep` of the function's.
  void leave(Frame& frame, std::size_t keep);
  // Leaves those that `block` is no part of.
  void leave_before(Frame& frame, std::uint32_t block);

  // Of a loop whose remaining iterations were guessed: the first branch that leaves it; kNone: none does.
  [[nodiscard]] static std::uint32_t way_out(const Frame& frame, const Instruction& instruction);
  // Of a branch that cannot be decided: the side that stays in the loop, until enough iterations are assumed; kNone: both stay.
  [[nodiscard]] std::uint32_t leave_or_stay(Frame& frame, const Instruction& instruction);
  // Iterations of the loops that are being run cannot be skipped by one thread alone.
  static void keep_in_step(const CallStack& stack);

  void record(Event event, double weight) {
    if (recording_ > 0) trace_.push_back(event), trace_.back().weight = weight;
  }
  [[nodiscard]] bool recording() const { return recording_ > 0; }
  [[nodiscard]] bool nested() const { return recording_ > 1; }
  [[nodiscard]] bool end_assumed() const { return assumed_loops_ > 0; }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] Event* last_event() { return trace_.empty() ? nullptr : &trace_.back(); }
  // Whether the trace is still the one that the marks are in.
  [[nodiscard]] bool traced(const Activation& activation) const { return activation.generation == generation_; }

  void add_skipped(std::uint64_t iterations) { skipped_ += iterations; }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

  // How many loops are recorded, and for whom the end is assumed: put back where functions are left otherwise than by returning.
  [[nodiscard]] unsigned recorded() const { return recording_; }
  [[nodiscard]] unsigned assumed() const { return assumed_loops_; }
  void put_back_recorded(unsigned recorded) { recording_ = recorded; }
  void put_back_assumed(unsigned assumed) { assumed_loops_ = assumed; }

 private:
  void mark(Frame& frame, Activation& activation);
  void try_skipping_from(Frame& frame, Activation& activation);
  bool try_skipping(Frame& frame, Activation& activation);
  bool skip_if(Pattern& pattern, double periods, const Frame& frame, Activation& activation);
  void run_out(Activation& activation, std::uint64_t iterations);
  void drop_trace() { trace_.clear(), ++generation_; }

  Machine& machine_;
  Trace trace_;
  unsigned recording_ = 0;  // loops that are being run
  unsigned assumed_loops_ = 0;  // of those, the ones whose end is not known
  std::uint64_t generation_ = 0;  // of the trace
  std::uint64_t exact_steps_ = 0;  // spent on iterations that could have been skipped
  std::uint64_t skipped_ = 0;
};

}  // namespace trikal::predict
