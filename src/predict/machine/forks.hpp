#pragma once
// Branches whose condition is not known: every side is tried, and where they come together again, what they agree on is known.

#include <exception>

#include "analyze/dataset/prediction.hpp"
#include "predict/machine/interpreter.hpp"
#include "predict/machine/memory.hpp"
#include "predict/world/world.hpp"

namespace trikal::predict {

class Forks {
 public:
  explicit Forks(Machine& machine) : machine_(machine) {}
  Forks(const Forks&) = delete;
  Forks& operator=(const Forks&) = delete;

  // `number`: of the block that ends with the instruction.
  [[nodiscard]] Jump branch(Frame& frame, const Instruction& instruction, std::uint32_t number);
  [[nodiscard]] Jump choose(Frame& frame, const Instruction& instruction, std::uint32_t number);  // a switch

  // Of what is being run: its share among the sides that are tried, and how sure it is.
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] analyze::Certainty certainty() const { return certainty_; }
  [[nodiscard]] Cause cause() const { return cause_; }  // why both sides are tried
  [[nodiscard]] int depth() const { return depth_; }

 private:
  struct Side {  // what one side of a branch came to
    Outcome outcome;
    std::vector<Value> slots;
    Memory::Pages pages;
    World world;
    bool dead = false;
    std::exception_ptr escaped{};  // what left the function there
  };

  [[nodiscard]] bool too_many() const;
  Side try_side(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop, double share);
  Jump fork(Frame& frame, const Instruction& instruction, std::uint32_t number,
            const std::vector<std::uint32_t>& targets);
  [[nodiscard]] bool keep_comparable(std::vector<Side>& sides);
  Outcome join(Frame& frame, Side& one, Side& other, Cause cause);
  Outcome take_over(Frame& frame, Side& side);

  Machine& machine_;
  std::uint64_t made_ = 0;
  int depth_ = 0;
  double weight_ = 1;
  analyze::Certainty certainty_ = analyze::Certainty::kExact;
  Cause cause_ = kKnown;
};

}  // namespace trikal::predict
