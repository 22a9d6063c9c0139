#include "predict/machine/arithmetic.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cmath>

namespace trikal::predict {
namespace {

using Op = llvm::Instruction;

std::optional<double> real_binary(unsigned opcode, double a, double b) {
  switch (opcode) {
    case Op::FAdd: return a + b;
    case Op::FSub: return a - b;
    case Op::FMul: return a * b;
    case Op::FDiv: return a / b;
    case Op::FRem: return std::fmod(a, b);
    default: return std::nullopt;
  }
}

std::optional<Word> divided(unsigned opcode, Word a, Word b, unsigned width) {
  const Word x = lowest(a, width), y = lowest(b, width);
  if (y == 0) return std::nullopt;
  if (opcode == Op::UDiv) return x / y;
  if (opcode == Op::URem) return x % y;
  const std::int64_t i = with_sign(a, width), k = with_sign(b, width);
  if (k == -1) return opcode == Op::SDiv ? Word{0} - static_cast<Word>(i) : Word{0};
  return static_cast<Word>(opcode == Op::SDiv ? i / k : i % k);
}

std::optional<Word> shifted(unsigned opcode, Word a, Word b, unsigned width) {
  const Word by = lowest(b, width);
  if (by >= width) return std::nullopt;
  if (opcode == Op::Shl) return a << by;
  if (opcode == Op::LShr) return lowest(a, width) >> by;
  return static_cast<Word>(with_sign(a, width) >> by);
}

}  // namespace

double real_from(Word bits, Number number) {
  if (number == Number::kFloat) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

Word bits_from(double value, Number number) {
  if (number == Number::kFloat) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<Word>(value);
}

std::optional<Word> binary(unsigned opcode, Word a, Word b, unsigned width, Number number) {
  if (number != Number::kInteger) {
    const auto value = real_binary(opcode, real_from(a, number), real_from(b, number));
    return value ? std::optional(bits_from(*value, number)) : std::nullopt;
  }
  std::optional<Word> value;
  switch (opcode) {
    case Op::Add: value = a + b; break;
    case Op::Sub: value = a - b; break;
    case Op::Mul: value = a * b; break;
    case Op::And: value = a & b; break;
    case Op::Or: value = a | b; break;
    case Op::Xor: value = a ^ b; break;
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem: value = divided(opcode, a, b, width); break;
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: value = shifted(opcode, a, b, width); break;
    default: break;
  }
  if (value) *value = lowest(*value, width);
  return value;
}

std::optional<Word> converted(const Instruction& cast, Word from) {
  const unsigned to_width = cast.ir->getType()->isIntegerTy() ? cast.ir->getType()->getIntegerBitWidth() : 64;
  const double real = real_from(from, cast.number);
  switch (cast.opcode) {
    case Op::Trunc:
    case Op::ZExt: return lowest(lowest(from, cast.width), to_width);
    case Op::SExt: return lowest(static_cast<Word>(with_sign(from, cast.width)), to_width);
    case Op::FPToUI:
      if (!(real > -1 && real < 18446744073709551616.0)) return std::nullopt;
      return lowest(static_cast<Word>(real), to_width);
    case Op::FPToSI:
      if (!(std::abs(real) < 9223372036854775808.0)) return std::nullopt;
      return lowest(static_cast<Word>(static_cast<std::int64_t>(real)), to_width);
    case Op::UIToFP: return bits_from(static_cast<double>(lowest(from, cast.width)), cast.result);
    case Op::SIToFP: return bits_from(static_cast<double>(with_sign(from, cast.width)), cast.result);
    case Op::FPTrunc:
    case Op::FPExt: return bits_from(real, cast.result);
    case Op::PtrToInt:
    case Op::IntToPtr:
    case Op::BitCast:
    case Op::AddrSpaceCast: return from;
    default: return std::nullopt;
  }
}

bool compared(unsigned predicate, Word a, Word b, unsigned width) {
  using P = llvm::CmpInst;
  const Word x = lowest(a, width), y = lowest(b, width);
  const std::int64_t i = with_sign(a, width), k = with_sign(b, width);
  switch (predicate) {
    case P::ICMP_EQ: return x == y;
    case P::ICMP_NE: return x != y;
    case P::ICMP_UGT: return x > y;
    case P::ICMP_UGE: return x >= y;
    case P::ICMP_ULT: return x < y;
    case P::ICMP_ULE: return x <= y;
    case P::ICMP_SGT: return i > k;
    case P::ICMP_SGE: return i >= k;
    case P::ICMP_SLT: return i < k;
    default: return i <= k;
  }
}

bool compared(unsigned predicate, double a, double b) {
  // The four low bits of a predicate say whether it holds for equal, greater, less and unordered.
  const unsigned bit = std::isunordered(a, b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return (predicate & bit) != 0;
}

}  // namespace trikal::predict
