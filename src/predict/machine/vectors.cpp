// Vectors are as many scalars in a frame, one beside the other; these operations move them about.

#include <llvm/IR/Module.h>

#include <llvm/IR/Instructions.h>

#include "predict/machine/execute.hpp"
#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

std::size_t lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

}  // namespace

void Executor::rearrange(Frame& frame, const Instruction& instruction) {
  const auto result = [&](std::size_t i) -> Value& { return frame.slots[instruction.slot + i]; };
  const auto operand = [&](std::size_t which, std::size_t i) { return frame[part(instruction.operands[which], i)]; };
  const std::size_t lanes = lanes_of(instruction.ir->getOperand(0)->getType());
  switch (instruction.opcode) {
    case llvm::Instruction::ExtractElement: {
      const Value index = operand(1, 0);
      if (!index.known()) result(0) = Value::unknown(index.cause);
      else result(0) = index.bits < lanes ? operand(0, index.bits) : Value{};
      return;
    }
    case llvm::Instruction::InsertElement: {
      const Value index = operand(2, 0), value = operand(1, 0);
      for (std::size_t i = 0; i < instruction.scalars; ++i) {
        result(i) = operand(0, i);
        if (!index.known()) result(i) = Value::unknown(index.cause);
        else if (index.bits == i) result(i) = value;
      }
      return;
    }
    default: {
      const llvm::ArrayRef<int> from = llvm::cast<llvm::ShuffleVectorInst>(instruction.ir)->getShuffleMask();
      for (std::size_t i = 0; i < instruction.scalars && i < from.size(); ++i) {
        const auto which = static_cast<std::size_t>(std::max(from[i], 0));
        result(i) = which < lanes ? operand(0, which) : operand(1, which - lanes);
      }
    }
  }
}

// The same bits in lanes of another width, the lowest first.
void Executor::reinterpret(Frame& frame, const Instruction& instruction) {
  const llvm::Type* source = instruction.ir->getOperand(0)->getType();
  const std::size_t bits = machine_.decoder.layout().getTypeSizeInBits(instruction.ir->getType()).getFixedValue();
  const std::size_t from = bits / lanes_of(source), to = bits / instruction.scalars;
  for (std::size_t i = 0; i < instruction.scalars; ++i) {
    Value out;
    for (std::size_t bit = i * to; bit < (i + 1) * to;) {
      const Value piece = frame[part(instruction.operands[0], bit / from)];
      if (!piece.known()) out = Value::unknown(piece.cause);
      const std::size_t inside = bit % from, count = std::min(from - inside, (i + 1) * to - bit);
      if (out.known()) out.bits |= lowest(piece.bits >> inside, static_cast<unsigned>(count)) << (bit - i * to);
      out.data = out.data || piece.data;
      out.rest_on(piece.doubt);
      bit += count;
    }
    frame.slots[instruction.slot + i] = out;
  }
}

}  // namespace trikal::predict
