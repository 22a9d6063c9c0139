#include "predict/machine/execute.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "predict/machine/arithmetic.hpp"
#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

using Op = llvm::Instruction;

bool divides(unsigned opcode) {
  return opcode == Op::UDiv || opcode == Op::SDiv || opcode == Op::URem || opcode == Op::SRem || opcode == Op::LShr ||
         opcode == Op::AShr;
}

// What a shift or a mask of low bits divides by; 0: neither.
Word divisor_of(unsigned opcode, Word b, unsigned width) {
  if (opcode == Op::LShr || opcode == Op::AShr) return lowest(b, width) < 63 ? Word{1} << lowest(b, width) : 0;
  if (opcode != Op::And) return lowest(b, width);
  const Word mask = lowest(b, width), up = lowest(~b, width);
  if ((mask & (mask + 1)) == 0) return mask + 1;  // x & 0xfff
  if ((up & (up + 1)) == 0) return up + 1;        // x & ~0xfff
  return 0;
}

}  // namespace

void Executor::execute(Frame& frame, const Instruction& instruction) {
  if (instruction.too_wide && instruction.opcode != Op::Store && instruction.opcode != Op::Call &&
      instruction.opcode != Op::Invoke) {
    for (std::uint32_t i = 0; i < instruction.scalars; ++i)
      frame.slots[instruction.slot + i] = machine_.unknown(instruction, "a number of more than 64 bits");
    return;
  }
  switch (instruction.opcode) {
    case Op::Load: return load(frame, instruction);
    case Op::Store: return store(frame, instruction);
    case Op::GetElementPtr: return address(frame, instruction);
    case Op::Alloca: return allocate(frame, instruction);
    case Op::ICmp:
    case Op::FCmp: return compare(frame, instruction);
    case Op::Call:
    case Op::Invoke: return machine_.calls.run(frame, instruction);
    case Op::ExtractValue:
    case Op::InsertValue:
    case Op::Select: return aggregate(frame, instruction);
    case Op::ExtractElement:
    case Op::InsertElement:
    case Op::ShuffleVector: return rearrange(frame, instruction);
    case Op::BitCast: return instruction.reinterprets ? reinterpret(frame, instruction) : compute(frame, instruction);
    case Op::AtomicRMW:
    case Op::AtomicCmpXchg: return exchange(frame, instruction);
    case Op::Fence: return;
    case Op::LandingPad: return machine_.unwinder.land(frame, instruction);
    default: return compute(frame, instruction);
  }
}

void Executor::compute(Frame& frame, const Instruction& instruction) {
  const bool two = llvm::isa<llvm::BinaryOperator>(instruction.ir);
  for (std::uint32_t i = 0; i < instruction.scalars; ++i) {
    const Value a = frame[part(instruction.operands[0], i)];
    const Value b = two ? frame[part(instruction.operands[1], i)] : Value{};
    Value& out = frame.slots[instruction.slot + i];
    if (!a.known() || !b.known()) {
      out = Value::unknown(a.known() ? b.cause : a.cause);
      // Nothing times zero, and nothing masked away, is known all the same.
      const bool zero = (a.known() && a.bits == 0) || (two && b.known() && b.bits == 0);
      if (zero && (instruction.opcode == Op::Mul || instruction.opcode == Op::And)) out = Value{};
      continue;
    }
    std::optional<Word> bits;
    if (two) bits = binary(instruction.opcode, a.bits, b.bits, instruction.width, instruction.number);
    else if (instruction.opcode == Op::FNeg)
      bits = bits_from(-real_from(a.bits, instruction.number), instruction.number);
    else if (instruction.opcode == Op::Freeze) bits = a.bits;
    else bits = converted(instruction, a.bits);
    out = bits ? Value::of(*bits) : machine_.unknown(instruction, "a result that is not defined");
    out.data = a.data || b.data;
    out.doubt = a.doubt != 0 ? a.doubt : b.doubt;
    if (machine_.loops.recording()) watch(instruction, a, b, out);
  }
}

// Results that move evenly only for a while, though what they are made of moves evenly: quotients and remainders, bits, numbers
// that are cut off, and narrow ones that begin again at zero and are then made wide.
void Executor::watch(const Instruction& instruction, Value a, Value b, Value& out) {
  const unsigned opcode = instruction.opcode;
  Event happened{Happened::kMask};
  happened.id = instruction.id, happened.a = a.bits, happened.b = b.bits;
  happened.width = static_cast<std::uint8_t>(instruction.width);
  if (opcode == Op::ZExt || opcode == Op::SExt) {
    happened.kind = Happened::kExtend, happened.flag = opcode == Op::SExt;
    return machine_.event(happened);
  }
  const bool bits = (opcode == Op::Or && !llvm::cast<llvm::PossiblyDisjointInst>(instruction.ir)->isDisjoint()) ||
                    (opcode == Op::Xor && lowest(~b.bits, instruction.width) != 0);
  if (divides(opcode) || opcode == Op::And) {
    if (const Word by = divisor_of(opcode, b.bits, instruction.width); by != 0)
      happened.kind = Happened::kDivide, happened.b = by;
  } else if (!bits && opcode != Op::FPToSI && opcode != Op::FPToUI) {
    return;
  }
  machine_.event(happened);
  mark_jumping(instruction, a, out);
}

// Whether the instruction was at another address the last time.
bool Executor::moved(std::uint32_t instruction, Word address) {
  if (instruction >= last_address_.size()) last_address_.resize(machine_.decoder.instruction_count());
  const Word last = std::exchange(last_address_[instruction], address);
  return last != 0 && last != address;
}

void Executor::mark_jumping(const Instruction& instruction, Value a, Value& out) {
  out.data = moved(instruction.id, a.bits) || out.data;
}

// A character of a file that is not known is above EOF: a loop over a file's bytes goes on.
std::optional<bool> Executor::compare_character(const Instruction& instruction, Value a, Value b) const {
  const llvm::Value* compared = instruction.ir->getOperand(0);
  if (a.known() || !b.known() || !machine_.causes[a.cause].character || instruction.width != 32) return std::nullopt;
  if (llvm::isa<llvm::BinaryOperator>(compared) || llvm::isa<llvm::CastInst>(compared)) return std::nullopt;
  const std::int64_t with = with_sign(b.bits, 32);
  switch (llvm::cast<llvm::CmpInst>(instruction.ir)->getPredicate()) {
    case llvm::CmpInst::ICMP_EQ: return with < 0 ? std::optional(false) : std::nullopt;
    case llvm::CmpInst::ICMP_NE: return with < 0 ? std::optional(true) : std::nullopt;
    case llvm::CmpInst::ICMP_SLT: return with <= 0 ? std::optional(false) : std::nullopt;
    case llvm::CmpInst::ICMP_SGE: return with <= 0 ? std::optional(true) : std::nullopt;
    case llvm::CmpInst::ICMP_SGT: return with < 0 ? std::optional(true) : std::nullopt;
    case llvm::CmpInst::ICMP_SLE: return with < 0 ? std::optional(false) : std::nullopt;
    default: return std::nullopt;
  }
}

void Executor::compare(Frame& frame, const Instruction& instruction) {
  const auto predicate = llvm::cast<llvm::CmpInst>(instruction.ir)->getPredicate();
  for (std::uint32_t i = 0; i < instruction.scalars; ++i) {
    const Value a = frame[part(instruction.operands[0], i)], b = frame[part(instruction.operands[1], i)];
    if (!a.known() || !b.known()) {
      const std::optional<bool> sure = compare_character(instruction, a, b);
      frame.slots[instruction.slot + i] = sure ? Value::of(Word{*sure}) : Value::unknown(a.known() ? b.cause : a.cause);
      continue;
    }
    const bool real = instruction.opcode == Op::FCmp;
    const bool holds =
        real ? compared(predicate, real_from(a.bits, instruction.number), real_from(b.bits, instruction.number))
             : compared(predicate, a.bits, b.bits, instruction.width);
    Value out = Value::of(Word{holds});
    out.data = a.data || b.data;
    out.doubt = a.doubt != 0 ? a.doubt : b.doubt;
    frame.slots[instruction.slot + i] = out;
    if (!machine_.loops.recording()) continue;
    Event happened{real ? Happened::kRealCompare : Happened::kCompare, holds, out.data};
    happened.width = static_cast<std::uint8_t>(instruction.width);
    happened.predicate = static_cast<std::uint8_t>(predicate);
    happened.id = instruction.id;
    happened.a = real ? std::bit_cast<Word>(real_from(a.bits, instruction.number)) : a.bits;
    happened.b = real ? std::bit_cast<Word>(real_from(b.bits, instruction.number)) : b.bits;
    machine_.event(happened);
  }
}

void Executor::load(Frame& frame, const Instruction& instruction) {
  const Value from = frame[instruction.operands[0]];
  for (std::size_t i = 0; i < std::max<std::size_t>(1, instruction.parts.size()) && i < instruction.scalars; ++i) {
    Value& out = frame.slots[instruction.slot + i];
    if (!from.known()) {
      out = Value::unknown(from.cause);
      continue;
    }
    const Part piece = instruction.parts.empty() ? Part{0, 1} : instruction.parts[i];
    out = machine_.memory.load(from.bits + piece.offset, piece.bytes);
    out.rest_on(from.doubt);
    if (!machine_.loops.recording()) continue;
    out.data = (i == 0 && moved(instruction.id, from.bits)) || from.data;
    Event happened{Happened::kLoad, out.known(), out.data};
    happened.id = instruction.id, happened.a = from.bits + piece.offset, happened.b = out.bits,
    happened.c = piece.bytes;
    machine_.event(happened);
  }
}

void Executor::store(Frame& frame, const Instruction& instruction) {
  const Value to = frame[instruction.operands[1]];
  if (!to.known()) return store_somewhere(to);
  if (instruction.too_wide) {
    const Cause cause = machine_.unknown(instruction, "a number of more than 64 bits").cause;
    return machine_.memory.forget(
        to.bits, machine_.decoder.layout().getTypeStoreSize(instruction.ir->getOperand(0)->getType()), cause);
  }
  for (std::size_t i = 0; i < instruction.parts.size(); ++i) {
    const Part& piece = instruction.parts[i];
    Value value = frame[part(instruction.operands[0], i)];
    value.rest_on(to.doubt);
    machine_.memory.store(to.bits + piece.offset, piece.bytes, value);
    Event happened{Happened::kStore, value.known(), value.data};
    happened.predicate = to.data;
    happened.id = instruction.id, happened.a = to.bits + piece.offset, happened.b = value.bits,
    happened.c = piece.bytes;
    // Bits of reals do not grow as the numbers do.
    const bool whole =
        instruction.number == Number::kInteger && !instruction.ir->getOperand(0)->getType()->isAggregateType();
    happened.width = whole ? 64 : 0;
    machine_.event(happened);
  }
}

// Somewhere in an object: all of it is unknown from now on. Where not even that is known, a note must do.
void Executor::store_somewhere(Value to) {
  const auto object = to.bits != 0 ? machine_.object_around(to.bits) : std::nullopt;
  if (object) machine_.memory.forget(object->address, object->bytes, to.cause);
  else {
    machine_.note("a value was stored where it is not known: " + machine_.causes[to.cause].what);
    machine_.doubts.for_good(to.cause);  // whatever is read from now on may be that value
  }
}

// An address of which only the object is known has that of the object as its bits.
void Executor::address(Frame& frame, const Instruction& instruction) {
  Value out = frame[instruction.operands[0]];
  if (!out.known()) return frame.set(instruction, out);
  const Value object = out;
  out.bits += static_cast<Word>(instruction.offset);
  for (const Step& step : instruction.steps) {
    const Value index = frame[step.index];
    if (!index.known()) return frame.set(instruction, {object.bits, index.cause});
    out.bits += static_cast<Word>(with_sign(index.bits, step.width) * step.scale);
    out.data = out.data || index.data;
    out.rest_on(index.doubt);
  }
  frame.set(instruction, out);
}

void Executor::allocate(Frame& frame, const Instruction& instruction) {
  const auto* ir = llvm::cast<llvm::AllocaInst>(instruction.ir);
  const Value count = frame[instruction.operands[0]];
  const Word bytes = machine_.decoder.layout().getTypeAllocSize(ir->getAllocatedType()).getFixedValue() *
                     (count.known() ? count.bits : 1);
  frame.set(instruction, Value::of(machine_.stack.top));
  machine_.memory.keep_extent(machine_.stack.top, bytes);
  machine_.stack.top += (bytes + 127) / 64 * 64;
}

void Executor::aggregate(Frame& frame, const Instruction& instruction) {
  const llvm::Instruction* ir = instruction.ir;
  if (llvm::isa<llvm::SelectInst>(ir)) {
    const bool by_lane = ir->getOperand(0)->getType()->isVectorTy();
    for (std::uint32_t i = 0; i < instruction.scalars; ++i) {
      const Value which = frame[part(instruction.operands[0], by_lane ? i : 0)];
      const Value a = frame[part(instruction.operands[1], i)], b = frame[part(instruction.operands[2], i)];
      Value& out = frame.slots[instruction.slot + i];
      if (which.known()) {
        out = (which.bits & 1) != 0 ? a : b;
        if (!(a == b)) out.data = out.data || which.data, out.rest_on(which.doubt);
      } else out = a == b ? a : Value::unknown(which.cause);
    }
    return;
  }
  std::uint64_t at = 0;  // of the scalar in question
  const auto path = [&](llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
    for (const unsigned index : indices) {
      for (unsigned i = 0; i < index; ++i)
        at +=
            machine_.decoder.parts_of(type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType())
                .size();
      type = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
    }
  };
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(ir)) {
    path(extract->getAggregateOperand()->getType(), extract->getIndices());
    for (std::uint32_t i = 0; i < instruction.scalars; ++i)
      frame.slots[instruction.slot + i] = frame[part(instruction.operands[0], at + i)];
  } else if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(ir)) {
    path(insert->getAggregateOperand()->getType(), insert->getIndices());
    for (std::uint32_t i = 0; i < instruction.scalars; ++i)
      frame.slots[instruction.slot + i] = frame[part(instruction.operands[0], i)];
    const std::size_t count =
        std::max<std::size_t>(1, machine_.decoder.parts_of(insert->getInsertedValueOperand()->getType()).size());
    for (std::size_t i = 0; i < count && at + i < instruction.scalars; ++i)
      frame.slots[instruction.slot + at + i] = frame[part(instruction.operands[1], i)];
  }
}

namespace {

// What an atomic operation leaves; nothing: not known to us.
std::optional<Word> atomically(const llvm::AtomicRMWInst& ir, Word before, Word operand, unsigned width,
                               Number number) {
  using Rmw = llvm::AtomicRMWInst;
  const bool less = with_sign(before, width) < with_sign(operand, width);
  const bool below = lowest(before, width) < lowest(operand, width);
  switch (ir.getOperation()) {
    case Rmw::Xchg: return operand;
    case Rmw::Add: return before + operand;
    case Rmw::Sub: return before - operand;
    case Rmw::And: return before & operand;
    case Rmw::Or: return before | operand;
    case Rmw::Xor: return before ^ operand;
    case Rmw::Nand: return ~(before & operand);
    case Rmw::Max: return less ? operand : before;
    case Rmw::Min: return less ? before : operand;
    case Rmw::UMax: return below ? operand : before;
    case Rmw::UMin: return below ? before : operand;
    case Rmw::FAdd: return binary(Op::FAdd, before, operand, width, number);
    case Rmw::FSub: return binary(Op::FSub, before, operand, width, number);
    default: return std::nullopt;
  }
}

}  // namespace

// A load and a store, which loops must see as such.
void Executor::exchange(Frame& frame, const Instruction& instruction) {
  const Value where = frame[instruction.operands[0]];
  const auto* ir = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction.ir);
  llvm::Type* type = instruction.ir->getOperand(1)->getType();
  const auto bytes = static_cast<unsigned>(machine_.decoder.layout().getTypeStoreSize(type).getFixedValue());
  if (!where.known()) return frame.set(instruction, where);
  Value before = machine_.memory.load(where.bits, bytes);
  const Value operand = frame[instruction.operands[1]];
  before.data = moved(instruction.id, where.bits) || where.data;
  before.rest_on(where.doubt);
  frame.set(instruction, before);
  Event happened{Happened::kLoad, before.known(), before.data};
  happened.id = instruction.id, happened.a = where.bits, happened.b = before.bits, happened.c = bytes;
  machine_.event(happened);
  Value after = operand;
  if (ir == nullptr) {
    const bool same = before.known() && operand.known() && before.bits == operand.bits;
    frame.slots[instruction.slot + 1] = Value::of(Word{same});
    if (!same) return;
    after = frame[instruction.operands[2]];
  } else if (ir->getOperation() != llvm::AtomicRMWInst::Xchg) {
    const auto bits = atomically(*ir, before.bits, operand.bits, 8 * bytes, number_of(type));
    after = !before.known()    ? before
            : !operand.known() ? operand
            : bits             ? Value::of(*bits)
                               : machine_.unknown(instruction, "an atomic operation");
    after.data = before.data || operand.data;
    after.doubt = before.doubt != 0 ? before.doubt : operand.doubt;
  }
  machine_.memory.store(where.bits, bytes, after);
  happened.kind = Happened::kStore, happened.flag = after.known(), happened.data = after.data;
  happened.predicate = where.data, happened.b = after.bits;
  machine_.event(happened);
}

}  // namespace trikal::predict
