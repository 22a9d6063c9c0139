#pragma once
// A function that is being run, the loops of it that are being run, and the calls that led to it.

#include <unordered_map>
#include <utility>
#include <vector>

#include "predict/machine/code.hpp"

namespace trikal::predict {

// One loop that is being run.
struct Activation {
  std::uint32_t loop = 0;
  std::uint64_t iterations = 0;
  std::uint64_t next_try = 4;
  unsigned assumed = 0;  // times that leaving it was not known
  bool plain = false;  // no more tries
  bool guessed = false;  // the iterations that are left are counted already
  bool in_step = false;  // threads wait for each other in it: the first one's iterations are those of all
  std::uint64_t run_until = 0;  // the iteration up to which the pattern is known, and is run all the same
  bool silent = false;  // and nobody needs a trace of it
  std::uint64_t generation = 0;  // of the trace that the marks are in
  struct Mark {  // the beginning of an iteration
    std::size_t trace = 0;
    std::uint64_t steps = 0;
    std::vector<Value> phis;
    std::vector<Word> world;
    std::size_t folder = 0;  // a number for the current one
  };
  std::vector<Mark> marks;
  std::uint64_t steps_at_start = 0;
  std::vector<std::pair<double, double>> ledger_at_start;  // count, bytes of each row
};

struct Frame {
  const Code* code = nullptr;
  std::vector<Value> slots;
  std::vector<Activation> loops;
  std::vector<Value> rest;  // arguments behind the named ones
  std::uint32_t context = 0;
  std::uint32_t tally = 0;  // of its first block
  bool in_doubt = false;  // whether it would be here rests on an assumption
  std::uint32_t doubt_ends = kNone;  // the block where it would be anyhow; kNone: behind its return
  std::vector<std::pair<Word, const Instruction*>> marks;  // where setjmp was called, by its buffer

  void set(const Instruction& instruction, Value value) { slots[instruction.slot] = value; }
  [[nodiscard]] const Value& operator[](Operand operand) const {
    return operand >= 0 ? slots[static_cast<std::size_t>(operand)]
                        : code->constants[static_cast<std::size_t>(-1 - operand)];
  }
};

// The functions that are being run, the innermost last, and where the next variable of one would lie.
struct CallStack {
  int depth = 0;
  Word top = Word{1} << 48;
  std::vector<Frame*> frames;
};

struct Context {  // a call path: the call, and the path to the function it stands in
  std::uint32_t parent = 0;
  const llvm::Instruction* call = nullptr;
};

// Every call path that was taken, by number; 0 is that of main.
class Contexts {
 public:
  [[nodiscard]] std::uint32_t number_of(std::uint32_t parent, const Instruction& call) {
    const std::uint64_t key = std::uint64_t{parent} << 32 | call.id;
    const auto [found, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
    if (fresh) all_.push_back({parent, call.ir});
    return found->second;
  }
  [[nodiscard]] const Context& operator[](std::uint32_t number) const { return all_[number]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::vector<Context> all_{1};
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace trikal::predict
