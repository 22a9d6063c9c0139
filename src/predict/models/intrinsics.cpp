// LLVM's own functions.

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "predict/machine/arithmetic.hpp"
#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/intrinsics.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

namespace I = llvm::Intrinsic;
__extension__ using Wide = __int128;

bool extremes(Machine& machine, Call& call, unsigned id) {
  const Value a = call.argument(0), b = call.argument(1);
  if (!a.known() || !b.known()) return call.returns(a.known() ? b : a), true;
  const unsigned width = call.at.width;
  const bool less = id == I::umin || id == I::umax ? lowest(a.bits, width) < lowest(b.bits, width)
                                                   : with_sign(a.bits, width) < with_sign(b.bits, width);
  const bool least = id == I::umin || id == I::smin;
  Value out = less == least ? a : b;
  out.data = a.data || b.data;
  call.returns(out);
  Event happened{Happened::kCompare, less,
                 out.data};  // which of the two it is may change from one iteration to the next
  happened.width = static_cast<std::uint8_t>(width);
  happened.predicate =
      static_cast<std::uint8_t>(id == I::umin || id == I::umax ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_SLT);
  happened.id = call.at.id, happened.a = a.bits, happened.b = b.bits;
  machine.event(happened);
  return true;
}

bool overflowing(Call& call, unsigned id) {
  const Value a = call.argument(0), b = call.argument(1);
  const unsigned width = call.at.width;
  if (!a.known() || !b.known()) {
    for (Value& value : call.result) value = a.known() ? b : a;
    return true;
  }
  const bool sign = id == I::sadd_with_overflow || id == I::ssub_with_overflow || id == I::smul_with_overflow;
  const auto wide = [&](Word x) { return sign ? Wide{with_sign(x, width)} : static_cast<Wide>(lowest(x, width)); };
  Wide exact = 0;
  if (id == I::sadd_with_overflow || id == I::uadd_with_overflow) exact = wide(a.bits) + wide(b.bits);
  else if (id == I::ssub_with_overflow || id == I::usub_with_overflow) exact = wide(a.bits) - wide(b.bits);
  else exact = wide(a.bits) * wide(b.bits);
  const Word kept = lowest(static_cast<Word>(exact), width);
  call.result[0] = Value::of(kept);
  if (call.result.size() > 1) call.result[1] = Value::of(Word{wide(kept) != exact});
  return true;
}

// A list of arguments that are not named: a table of ours, reached through the words a va_list has on this machine.
bool start_list(Machine& machine, Call& call) {
  const Value list = call.argument(0);
  if (!list.known()) return true;
  const Word table = machine.world.take(8 * call.frame.rest.size() + 8);
  for (std::size_t i = 0; i < call.frame.rest.size(); ++i) machine.memory.store(table + 8 * i, 8, call.frame.rest[i]);
  machine.memory.store(list.bits, 4, Value::of(Word{48}));      // no registers are left
  machine.memory.store(list.bits + 4, 4, Value::of(Word{304}));
  machine.memory.store(list.bits + 8, 8, Value::of(table));      // so arguments are taken from here
  machine.memory.store(list.bits + 16, 8, Value::of(Word{call.frame.rest.size()}));
  return true;
}

bool on_memory(Machine& machine, Call& call, unsigned id) {
  const Value to = call.argument(0), what = call.argument(1), bytes = call.argument(2);
  if (!to.known()) return machine.executor.store_somewhere(to), true;
  if (!what.known() || !bytes.known()) {
    machine.forget_behind(call, to, "a copy of something that is not known");
  } else if (id == I::memset || id == I::memset_inline) {
    machine.memory.fill(to.bits, bytes.bits, static_cast<std::uint8_t>(what.bits));
  } else {
    machine.memory.copy(to.bits, what.bits, bytes.bits);
  }
  return true;
}

// The two words one behind the other, shifted; a rotation where they are the same.
bool funnel(Machine& machine, Call& call, bool left) {
  const Value high = call.argument(0), low = call.argument(1), by = call.argument(2);
  for (const Value& one : {high, low, by})
    if (!one.known()) return call.returns(one), true;
  const unsigned width = call.at.width, shift = static_cast<unsigned>(lowest(by.bits, width) % width);
  const Word h = lowest(high.bits, width), l = lowest(low.bits, width);
  Word out = left ? h : l;
  if (shift != 0) out = left ? h << shift | l >> (width - shift) : h << (width - shift) | l >> shift;
  Value value = Value::of(lowest(out, width));
  value.data = high.data || low.data || by.data;
  call.returns(jumping(machine, call, h ^ l << 1, value));
  return true;
}

Word swapped(Word bits, unsigned width) {
  Word out = 0;
  for (unsigned at = 0; at < width; at += 8) out |= (bits >> at & 0xff) << (width - 8 - at);
  return out;
}
Word reversed(Word bits, unsigned width) {
  Word out = 0;
  for (unsigned at = 0; at < width; ++at) out |= (bits >> at & 1) << (width - 1 - at);
  return out;
}

bool on_bits(Machine& machine, Call& call, unsigned id) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x), true;
  const unsigned width = call.at.width;
  const Word bits = lowest(x.bits, width);
  Word out = 0;
  switch (id) {
    case I::bswap: out = swapped(bits, width); break;
    case I::bitreverse: out = reversed(bits, width); break;
    case I::ctpop: out = static_cast<Word>(std::popcount(bits)); break;
    case I::ctlz: out = static_cast<Word>(std::countl_zero(bits)) - (64 - width); break;
    default: out = bits == 0 ? width : static_cast<Word>(std::countr_zero(bits)); break;
  }
  Value value = Value::of(out);
  value.data = x.data;
  call.returns(jumping(machine, call, bits, value));
  return true;
}

bool saturating(Call& call, unsigned id) {
  const Value a = call.argument(0), b = call.argument(1);
  if (!a.known() || !b.known()) return call.returns(a.known() ? b : a), true;
  const unsigned width = call.at.width;
  const bool sign = id == I::sadd_sat || id == I::ssub_sat, adds = id == I::sadd_sat || id == I::uadd_sat;
  const auto wide = [&](Word x) { return sign ? Wide{with_sign(x, width)} : static_cast<Wide>(lowest(x, width)); };
  const Wide top = (Wide{1} << (sign ? width - 1 : width)) - 1, bottom = sign ? -top - 1 : 0;
  const Wide exact = adds ? wide(a.bits) + wide(b.bits) : wide(a.bits) - wide(b.bits);
  call.returns(Value::of(lowest(static_cast<Word>(std::clamp(exact, bottom, top)), width)));
  return true;
}

bool masked_pointer(Call& call) {
  const Value from = call.argument(0), mask = call.argument(1);
  if (!from.known() || !mask.known()) return call.returns(from.known() ? mask : from), true;
  return call.returns(Value::of(from.bits & mask.bits)), true;
}

bool absolute(Call& call) {
  const Value x = call.argument(0);
  const unsigned width = call.at.width;
  call.returns(
      x.known()
          ? Value::of(lowest(
                with_sign(x.bits, width) < 0 ? Word{0} - static_cast<Word>(with_sign(x.bits, width)) : x.bits, width))
          : x);
  return true;
}

bool on_whole_numbers(Machine& machine, Call& call, unsigned id) {
  switch (id) {
    case I::fshl:
    case I::fshr: return funnel(machine, call, id == I::fshl);
    case I::bswap:
    case I::bitreverse:
    case I::ctpop:
    case I::ctlz:
    case I::cttz: return on_bits(machine, call, id);
    case I::uadd_sat:
    case I::usub_sat:
    case I::sadd_sat:
    case I::ssub_sat: return saturating(call, id);
    default: return false;
  }
}

}  // namespace

Value jumping(Machine& machine, const Call& call, Word of, Value value) {
  Event happened{Happened::kMask};
  happened.id = call.at.id, happened.a = of;
  machine.event(happened);
  machine.executor.mark_jumping(call.at, Value::of(of), value);
  return value;
}

namespace {

// They tell optimizers something, and give nothing or zero.
constexpr unsigned kHints[] = {
    I::is_constant,
    I::stacksave,
    I::stackrestore,
    I::lifetime_start,
    I::lifetime_end,
    I::assume,
    I::vaend,
    I::donothing,
    I::sideeffect,
    I::var_annotation,
    I::pseudoprobe,
    I::invariant_start,
    I::prefetch,
    I::dbg_declare,
    I::dbg_value,
    I::dbg_label,
    I::dbg_assign,
    I::invariant_end,
    I::experimental_noalias_scope_decl,
};
// The first argument, whatever else is said of it.
constexpr unsigned kSame[] = {
    I::expect,     I::expect_with_probability, I::launder_invariant_group, I::strip_invariant_group, I::ssa_copy,
    I::annotation, I::ptr_annotation,
};
bool is_in(std::span<const unsigned> all, unsigned id) { return std::ranges::find(all, id) != all.end(); }

}  // namespace

bool scalar_intrinsic(Machine& machine, Call& call, unsigned id) {
  if (is_in(kHints, id)) return true;
  if (is_in(kSame, id)) return call.returns(call.argument(0)), true;
  switch (id) {
    case I::memcpy:
    case I::memcpy_inline:
    case I::memmove:
    case I::memset:
    case I::memset_inline: return on_memory(machine, call, id);
    case I::vastart: return start_list(machine, call);
    case I::vacopy:
      if (call.argument(0).known() && call.argument(1).known())
        machine.memory.copy(call.argument(0).bits, call.argument(1).bits, 24);
      return true;
    case I::umin:
    case I::umax:
    case I::smin:
    case I::smax: return extremes(machine, call, id);
    case I::sadd_with_overflow:
    case I::uadd_with_overflow:
    case I::ssub_with_overflow:
    case I::usub_with_overflow:
    case I::smul_with_overflow:
    case I::umul_with_overflow: return overflowing(call, id);
    case I::abs: return absolute(call);
    case I::objectsize: return call.returns(Value::of(~Word{0})), true;
    case I::eh_typeid_for: return call.returns(Value::of(type_number(call.argument(0).bits))), true;
    case I::threadlocal_address: return call.returns(own_copy(machine, call.argument(0))), true;
    case I::trap: machine.leave(134);
    case I::ptrmask: return masked_pointer(call);
    case I::get_rounding: return call.returns(Value::of(Word{1})), true;
    default: return real_intrinsic(machine, call, id) || on_whole_numbers(machine, call, id);
  }
}

}  // namespace trikal::predict
