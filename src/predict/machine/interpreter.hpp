#pragma once
// Goes from block to block of the program's functions.

#include <span>

#include "predict/machine/frame.hpp"

namespace trikal::predict {

class Machine;

// How far a function was run: to the block where it was to stop, or to its return.
struct Outcome {
  bool stopped = false;
  std::vector<Value> values;  // that it returned
};
// Where a block goes on.
struct Jump {
  std::uint32_t to = 0;
  bool joined = false;  // several paths came together there, and its phis are chosen
  bool done = false;  // the function ends here
  Outcome outcome;
};

class Interpreter {
 public:
  explicit Interpreter(Machine& machine) : machine_(machine) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // A function from its beginning to its return; `rest`: arguments behind the named ones.
  std::vector<Value> enter(const llvm::Function& function, std::span<const Value> arguments,
                           std::span<const Value> rest, std::uint32_t context);
  // From `block`, which is reached from `from`, to the return, or to the block `stop`.
  Outcome run(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop);
  // From here until all ways from that block have come together.
  void doubt_way(Frame& frame, std::uint32_t block, Doubt doubt);
  void doubt_rest(Frame& frame, Doubt doubt);  // of the function
  Jump run_block(Frame& frame, std::uint32_t block, std::size_t first);

  // What is put back where a part of the program was only tried.
  struct Position {
    int depth = 0;
    Word top = 0;
    unsigned recorded = 0;
  };
  [[nodiscard]] Position position() const;
  void return_to(const Position& position);

 private:
  class Inside;
  void arrive(Frame& frame, std::uint32_t block, std::uint32_t from, bool joined);
  [[nodiscard]] Outcome returned(const Frame& frame, const Instruction& instruction) const;
  void doubt_results(Frame& frame, const Block& block) const;
  void choose_phis(Frame& frame, const Block& block, std::uint32_t from);
  void spend(const Frame& frame, const Block& block);
  Jump branch(Frame& frame, const Instruction& instruction, std::uint32_t number);
  std::uint32_t choose(Frame& frame, const Instruction& instruction);

  Machine& machine_;
  std::vector<Value> chosen_;  // of the phis of a block: all before the first is set, as one may be another's operand
};

// The block of `code` that holds `instruction`, and the number of the instruction in it; kNone: it is of another function.
struct CodeLocation {
  std::uint32_t block = kNone;
  std::size_t instruction = 0;
};
[[nodiscard]] CodeLocation code_location_of(const Code& code, const Instruction& instruction);

}  // namespace trikal::predict
