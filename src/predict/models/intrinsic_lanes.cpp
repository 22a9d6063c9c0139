// LLVM's own functions on vectors: lane by lane, or all lanes to one number. One without a model makes all it gives unknown.

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "predict/machine/arithmetic.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

namespace I = llvm::Intrinsic;
using Op = llvm::Instruction;

std::size_t lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

// A result that has as many lanes as its arguments, each made of theirs. A scalar argument is the same for all.
bool each_lane(Machine& machine, Call& call, unsigned id) {
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const std::size_t lanes = lanes_of(ir->getType());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Call one{call.at, call.frame, call.name, {}};
    std::size_t first = 0;
    for (const llvm::Value* argument : ir->args()) {
      const std::size_t count = lanes_of(argument->getType());
      one.arguments.push_back(call.argument(count == 1 ? first : first + lane));
      first += count;
    }
    if (!scalar_intrinsic(machine, one, id)) return false;
    call.result[lane] = one.result[0];
  }
  return true;
}

struct Reduction {
  unsigned id, opcode;
};
constexpr Reduction kReductions[] = {
    {I::vector_reduce_add, Op::Add},   {I::vector_reduce_mul, Op::Mul}, {I::vector_reduce_and, Op::And},
    {I::vector_reduce_or, Op::Or},     {I::vector_reduce_xor, Op::Xor}, {I::vector_reduce_fadd, Op::FAdd},
    {I::vector_reduce_fmul, Op::FMul},
};

std::optional<Word> the_extreme(unsigned id, Word a, Word b, unsigned width, Number number) {
  const bool below = lowest(a, width) < lowest(b, width), less = with_sign(a, width) < with_sign(b, width);
  switch (id) {
    case I::vector_reduce_umin: return below ? a : b;
    case I::vector_reduce_umax: return below ? b : a;
    case I::vector_reduce_smin: return less ? a : b;
    case I::vector_reduce_smax: return less ? b : a;
    case I::vector_reduce_fmin: return bits_from(std::fmin(real_from(a, number), real_from(b, number)), number);
    case I::vector_reduce_fmax: return bits_from(std::fmax(real_from(a, number), real_from(b, number)), number);
    default: return std::nullopt;
  }
}

// From the first lane to the last: for reals the order counts.
bool all_lanes(Call& call, unsigned id) {
  for (const Value& one : call.arguments)
    if (!one.known()) return call.returns(one), true;
  const unsigned width = call.at.width;
  const Number number = call.at.number;
  const auto* const found = std::ranges::find_if(kReductions, [id](const Reduction& one) { return one.id == id; });
  Word out = call.argument(0).bits;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const std::optional<Word> next = found != std::end(kReductions)
                                         ? binary(found->opcode, out, call.argument(i).bits, width, number)
                                         : the_extreme(id, out, call.argument(i).bits, width, number);
    if (!next) return false;
    out = *next;
  }
  call.returns(Value::of(out));
  return true;
}

// The highest bit of each lane, the first lane's lowest.
bool signs_of_lanes(Call& call) {
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const unsigned width = ir->getArgOperand(0)->getType()->getScalarSizeInBits();
  Word out = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].known()) return call.returns(call.arguments[i]), true;
    out |= (call.arguments[i].bits >> (width - 1) & 1) << i;
  }
  call.returns(Value::of(out));
  return true;
}

bool takes_signs(std::string_view name) {
  return name == "llvm.x86.sse2.pmovmskb.128" || name == "llvm.x86.avx2.pmovmskb" || name == "llvm.x86.sse.movmsk.ps" ||
         name == "llvm.x86.sse2.movmsk.pd" || name == "llvm.x86.avx.movmsk.ps.256" ||
         name == "llvm.x86.avx.movmsk.pd.256";
}

bool too_wide(const llvm::CallBase& ir) {
  const auto wide = [](const llvm::Type* type) {
    return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 64;
  };
  return wide(ir.getType()) ||
         std::ranges::any_of(ir.args(), [&](const llvm::Use& one) { return wide(one->getType()); });
}

bool carried_out(Machine& machine, Call& call, unsigned id) {
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  if (too_wide(*ir)) return false;
  if (takes_signs(call.name)) return signs_of_lanes(call);
  const bool of_vectors =
      std::ranges::any_of(ir->args(), [](const llvm::Use& one) { return one->getType()->isVectorTy(); });
  if (ir->getType()->isVectorTy()) return each_lane(machine, call, id);
  return of_vectors ? all_lanes(call, id) : scalar_intrinsic(machine, call, id);
}

}  // namespace

void intrinsic(Machine& machine, Call& call, const llvm::Function& callee) {
  if (carried_out(machine, call, callee.getIntrinsicID())) return;
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const std::string name = callee.getName().str();
  machine.unmodelled.insert(name);
  for (Value& value : call.result) value = machine.unknown(call.at, "the result of " + name);
  std::size_t first = 0;
  for (unsigned i = 0; i < ir->arg_size(); ++i) {
    if (ir->getArgOperand(i)->getType()->isPointerTy() && !ir->onlyReadsMemory(i))
      machine.forget_behind(call, call.argument(first), "what " + name + " left behind a pointer");
    first += std::max<std::size_t>(1, machine.decoder.parts_of(ir->getArgOperand(i)->getType()).size());
  }
}

}  // namespace trikal::predict
