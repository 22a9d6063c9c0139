#pragma once
// A function as the machine runs it: operands are slots of a frame, constants are values, addresses are sums.

#include <memory>
#include <unordered_map>
#include <vector>

#include "predict/machine/llvm_names.hpp"
#include "predict/machine/value.hpp"

namespace trikal::predict {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

// A slot of the frame (>= 0) or a constant (-1 - number).
using Operand = std::int32_t;

// That of a further scalar of the same value.
[[nodiscard]] inline Operand part(Operand first, std::size_t i) {
  return first >= 0 ? first + static_cast<Operand>(i) : first - static_cast<Operand>(i);
}

// One scalar of a value in memory.
struct Part {
  std::uint64_t offset;
  std::uint32_t bytes;
};

struct Step {  // of an address: operand * scale
  Operand index;
  unsigned width;
  std::int64_t scale;
};

enum class Number : std::uint8_t { kInteger, kFloat, kDouble, kLongDouble };

struct Instruction {
  const llvm::Instruction* ir = nullptr;
  unsigned opcode = 0;
  std::uint32_t id = 0;      // among all instructions of the program
  std::uint32_t slot = 0;   // of its first scalar in the frame
  std::uint32_t scalars = 0;
  unsigned width = 0;        // bits of the operation: of the first operand where they differ
  bool too_wide = false;     // a number of more than 64 bits: never known
  bool reinterprets = false;  // a vector's bits as other lanes
  Number number = Number::kInteger;  // of the first operand
  Number result = Number::kInteger;
  std::vector<Operand> operands;     // the first scalar of each
  std::vector<unsigned> widths;      // of each operand
  std::vector<Part> parts;           // load, store: the scalars in memory
  std::vector<Step> steps;           // getelementptr
  std::int64_t offset = 0;           // getelementptr: what is constant; extractvalue: the scalar
  std::vector<std::uint32_t> targets;  // blocks
  std::vector<Word> cases;             // switch
};

struct Phi {
  std::uint32_t slot;
  std::uint32_t scalars;
  std::uint32_t id;
  unsigned width;
  Number number;
  std::vector<std::pair<std::uint32_t, Operand>> from;  // by the block before
  bool only_summed = false;  // of a loop: nothing in it looks at this number, so it may begin again at its other end
};

struct Block {
  std::uint32_t id = 0;  // among all blocks of the program
  const llvm::BasicBlock* ir = nullptr;
  std::vector<Phi> phis;
  std::vector<Instruction> instructions;
  std::uint32_t loop = kNone;           // the innermost
  bool header = false;                  // of that loop
  std::uint32_t joined = kNone;         // where all ways from here come together again
  bool hopeless = false;                // every way from here ends the program
};

struct LoopShape {
  std::uint32_t parent = kNone;
  std::uint32_t header = 0;
  unsigned depth = 1;
  unsigned line = 0;
};

struct Code {
  const llvm::Function* ir = nullptr;
  std::vector<Block> blocks;
  std::vector<LoopShape> loops;
  std::vector<Value> constants;
  std::uint32_t arguments = 0;  // scalars of them all: the first slots
  std::uint32_t slots = 0;

  [[nodiscard]] bool inside(std::uint32_t block, std::uint32_t loop) const {
    for (std::uint32_t at = blocks[block].loop; at != kNone; at = loops[at].parent)
      if (at == loop) return true;
    return false;
  }
};

}  // namespace trikal::predict
