#pragma once
// The instructions that are not jumps.

#include <optional>

#include "predict/machine/frame.hpp"

namespace trikal::predict {

class Machine;

class Executor {
 public:
  explicit Executor(Machine& machine) : machine_(machine) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void execute(Frame& frame, const Instruction& instruction);
  // Somewhere in memory, of which not more than an object is known.
  void store_somewhere(Value to);
  // What was computed from `a`, which moves, jumps from time to time: `out` is marked as data.
  void mark_jumping(const Instruction& instruction, Value a, Value& out);

 private:
  void compute(Frame& frame, const Instruction& instruction);
  void watch(const Instruction& instruction, Value a, Value b, Value& out);
  void compare(Frame& frame, const Instruction& instruction);
  [[nodiscard]] std::optional<bool> compare_character(const Instruction& instruction, Value a, Value b) const;
  void load(Frame& frame, const Instruction& instruction);
  void store(Frame& frame, const Instruction& instruction);
  static void address(Frame& frame, const Instruction& instruction);
  void allocate(Frame& frame, const Instruction& instruction);
  void aggregate(Frame& frame, const Instruction& instruction);
  static void rearrange(Frame& frame, const Instruction& instruction);
  void reinterpret(Frame& frame, const Instruction& instruction);
  void exchange(Frame& frame, const Instruction& instruction);
  [[nodiscard]] bool moved(std::uint32_t instruction, Word address);

  Machine& machine_;
  std::vector<Word> last_address_;  // by instruction
};

}  // namespace trikal::predict
