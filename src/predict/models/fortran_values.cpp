// Arrays: assigned, allocated, summed up.

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cmath>

#include "predict/models/fortran.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kFollowed = 1 << 16;  // elements that are looked at one by one
constexpr Word kDimensions = 24, kEach = 24;

void set_bounds(Machine& machine, Word descriptor, std::size_t dimension, Word lower, Word extent, Word stride) {
  const Word at = descriptor + kDimensions + kEach * dimension;
  machine.memory.store(at, 8, Value::of(lower));
  machine.memory.store(at + 8, 8, Value::of(extent));
  machine.memory.store(at + 16, 8, Value::of(stride));
}

void bounds_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0), dimension = call.argument(1), lower = call.argument(2),
              upper = call.argument(3);
  if (!descriptor.known() || !dimension.known() || dimension.bits > 15) return;
  const Word at = descriptor.bits + kDimensions + kEach * dimension.bits;
  machine.memory.store(at, 8, lower);
  Value extent = !lower.known() ? lower : upper;
  if (lower.known() && upper.known())
    extent =
        Value::of(static_cast<Word>(std::max<std::int64_t>(0, static_cast<std::int64_t>(upper.bits - lower.bits) + 1)));
  machine.memory.store(at + 8, 8, extent);
}

Word make_strides(Machine& machine, Word descriptor) {
  const auto array = array_at(machine, Value::of(descriptor));
  if (!array) return 0;
  Word step = array->element;
  for (std::size_t i = 0; i < array->dimensions.size(); ++i) {
    machine.memory.store(descriptor + kDimensions + kEach * i + 16, 8, Value::of(step));
    step *= static_cast<Word>(std::max<std::int64_t>(array->dimensions[i].extent, 0));
  }
  return array->count() * array->element;
}

void allocate_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  if (!descriptor.known()) return;
  const Word bytes = make_strides(machine, descriptor.bits);
  machine.memory.store(descriptor.bits, 8, Value::of(machine.world.take(std::max<Word>(bytes, 1))));
}

void deallocate_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  if (!descriptor.known()) return;
  const Value base = machine.memory.load(descriptor.bits, 8);
  if (base.known()) machine.world.give_back(base.bits);
  machine.memory.store(descriptor.bits, 8, Value::of(Word{0}));
}

void init_model(Machine& machine, Call& call) {  // descriptor, category, kind, rank, corank
  constexpr Word kVersion = 20180515, kAllocatable = 2;
  constexpr unsigned kIntegers[] = {7, 8, 9, 10}, kReals[] = {27, 28}, kComplex[] = {34, 35};
  const Value descriptor = call.argument(0), category = call.argument(1), kind = call.argument(2),
              rank = call.argument(3);
  if (!descriptor.known() || !category.known() || !kind.known() || !rank.known()) return;
  const Word bytes = kind.bits, at = descriptor.bits;
  const std::size_t size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  Word type = kIntegers[size], element = bytes;
  if (category.bits == 1) type = kReals[bytes == 8 ? 1 : 0];
  if (category.bits == 2) type = kComplex[bytes == 8 ? 1 : 0], element = 2 * bytes;
  machine.memory.store(at, 8, Value::of(Word{0}));
  machine.memory.store(at + 8, 8, Value::of(element));
  machine.memory.store(at + 16, 4, Value::of(kVersion));
  machine.memory.store(at + 20, 1, rank);
  machine.memory.store(at + 21, 1, Value::of(type));
  machine.memory.store(at + 22, 1, Value::of(kAllocatable));
}

// One value into every element, or elements one by one.
void copy_elements(Machine& machine, const Call& call, const FortranArray& to, const FortranArray& from) {
  const Word all = to.count();
  const bool one = from.dimensions.empty() && !to.dimensions.empty();
  const bool text = kind_of(to.type) == FortranKind::kText && to.element != from.element;
  if (!one && !text && to.contiguous() && from.contiguous()) {
    return machine.memory.copy(to.base, from.base, all * to.element);
  }
  std::string value(from.element, '\0');
  if (one && from.element <= kFollowed && machine.memory.read(from.base, value.data(), value.size()) &&
      to.contiguous() && std::ranges::all_of(value, [](char c) { return c == 0; })) {
    return machine.memory.fill(to.base, all * to.element, 0);
  }
  if (all > kFollowed) {
    const Word bytes = to.contiguous() ? all * to.element : to.element;
    return machine.memory.forget(to.base, bytes, machine.unknown(call.at, "the elements of a large array").cause);
  }
  for (Word i = 0; i < all; ++i) {
    const Word source = one ? from.base : from.address(i), target = to.address(i);
    machine.memory.copy(target, source, std::min(to.element, from.element));
    if (to.element > from.element) machine.memory.fill(target + from.element, to.element - from.element, ' ');
  }
}

void assign_model(Machine& machine, Call& call) {
  constexpr Word kAttribute = 22, kAllocatable = 2;
  const auto from = array_at(machine, call.argument(1));
  auto to = array_at(machine, call.argument(0));
  if (!from || !to) return machine.forget_behind(call, call.argument(0), "what an assignment left");
  const Word descriptor = call.argument(0).bits;
  const Value attribute = machine.memory.load(descriptor + kAttribute, 1);
  if (attribute.known() && attribute.bits == kAllocatable) {
    bool same = to->base != 0 && to->dimensions.size() == from->dimensions.size();
    for (std::size_t i = 0; same && i < from->dimensions.size(); ++i)
      same = to->dimensions[i].extent == from->dimensions[i].extent;
    const bool broadcast = from->dimensions.empty() && to->base != 0 && !to->dimensions.empty();
    const bool longer = kind_of(to->type) == FortranKind::kText && to->element != from->element;
    if ((!same || longer) && !broadcast) {
      machine.memory.store(descriptor + 8, 8, Value::of(from->element));
      Word step = from->element;
      for (std::size_t i = 0; i < from->dimensions.size(); ++i) {
        const auto extent = static_cast<Word>(std::max<std::int64_t>(from->dimensions[i].extent, 0));
        set_bounds(machine, descriptor, i, 1, extent, step);
        step *= extent;
      }
      machine.world.give_back(to->base);
      machine.memory.store(descriptor, 8, Value::of(machine.world.take(std::max<Word>(step, 1))));
      to = array_at(machine, call.argument(0));
      if (!to) return;
    }
  }
  copy_elements(machine, call, *to, *from);
}

double number_at(Machine& machine, const FortranArray& array, Word index, bool& known) {
  const Value value = machine.memory.load(array.address(index), static_cast<unsigned>(array.element));
  known = known && value.known();
  if (kind_of(array.type) == FortranKind::kReal)
    return array.element == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits)))
                              : value.real();
  return static_cast<double>(with_sign(value.bits, static_cast<unsigned>(8 * array.element)));
}

// SUM, PRODUCT, MAXVAL, MINVAL without a mask.
template <char What>
void reduce_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  const bool masked = call.argument(4).known() && call.argument(4).bits != 0;
  if (!array || masked || array->count() == 0 || array->count() > kFollowed || array->element > 8)
    return call.returns(machine.unknown(call.at, "the elements of a large array"));
  bool known = true;
  double all = What == '*' ? 1 : What == '+' ? 0 : number_at(machine, *array, 0, known);
  for (Word i = 0; i < array->count() && known; ++i) {
    const double one = number_at(machine, *array, i, known);
    all = What == '*' ? all * one : What == '+' ? all + one : What == '>' ? std::max(all, one) : std::min(all, one);
  }
  if (!known) return call.returns(machine.unknown(call.at, "the elements of an array"));
  if (kind_of(array->type) != FortranKind::kReal)
    return call.returns(Value::of(static_cast<Word>(static_cast<std::int64_t>(all))));
  const bool small = call.at.ir->getType()->isFloatTy();
  call.returns(small ? Value::of(Word{std::bit_cast<std::uint32_t>(static_cast<float>(all))}) : Value::of(all));
}

void size_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  call.returns(array ? Value::of(array->count()) : machine.unknown(call.at, "the size of an array"));
}
void size_dimension_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  const Value which = call.argument(1);
  const bool good = array && which.known() && which.bits >= 1 && which.bits <= array->dimensions.size();
  call.returns(good ? Value::of(static_cast<Word>(array->dimensions[which.bits - 1].extent))
                    : machine.unknown(call.at, "the size of an array"));
}
void lower_bound_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  const Value which = call.argument(1);
  const bool good = array && which.known() && which.bits >= 1 && which.bits <= array->dimensions.size();
  call.returns(good ? Value::of(static_cast<Word>(array->dimensions[which.bits - 1].lower))
                    : machine.unknown(call.at, "the bounds of an array"));
}

template <unsigned Width>
void power_model(Machine& machine, Call& call) {
  const Value base = call.argument(0), power = call.argument(1);
  if (!base.known() || !power.known()) return call.returns(base.known() ? power : base);
  call.returns(Value::of(std::pow(base.real(), static_cast<double>(with_sign(power.bits, Width)))));
  (void)machine;
}

void contiguous_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  call.returns(array ? Value::of(Word{array->contiguous()}) : machine.unknown(call.at, "where an array lies"));
}

constexpr NamedModel kFortranValuesModels[] = {
    {"_FortranAIsContiguous", contiguous_model},
    {"_FortranACopyInAssign", assign_model},
    {"_FortranAAssign", assign_model},
    {"_FortranAAssignTemporary", assign_model},
    {"_FortranACopyOutAssign", assign_model},
    {"_FortranAAllocatableSetBounds", bounds_model},
    {"_FortranAAllocatableAllocate", allocate_model},
    {"_FortranAAllocatableDeallocate", deallocate_model},
    {"_FortranAAllocatableInitIntrinsicForAllocate", init_model},
    {"_FortranAPointerSetBounds", bounds_model},
    {"_FortranAPointerAllocate", allocate_model},
    {"_FortranAPointerDeallocate", deallocate_model},
    {"_FortranASumInteger4", reduce_model<'+'>},
    {"_FortranASumInteger8", reduce_model<'+'>},
    {"_FortranASumReal4", reduce_model<'+'>},
    {"_FortranASumReal8", reduce_model<'+'>},
    {"_FortranAProductInteger4", reduce_model<'*'>},
    {"_FortranAProductInteger8", reduce_model<'*'>},
    {"_FortranAProductReal8", reduce_model<'*'>},
    {"_FortranAMaxvalInteger4", reduce_model<'>'>},
    {"_FortranAMaxvalInteger8", reduce_model<'>'>},
    {"_FortranAMaxvalReal4", reduce_model<'>'>},
    {"_FortranAMaxvalReal8", reduce_model<'>'>},
    {"_FortranAMinvalInteger4", reduce_model<'<'>},
    {"_FortranAMinvalInteger8", reduce_model<'<'>},
    {"_FortranAMinvalReal4", reduce_model<'<'>},
    {"_FortranAMinvalReal8", reduce_model<'<'>},
    {"_FortranASize", size_model},
    {"_FortranASizeDim", size_dimension_model},
    {"_FortranALboundDim", lower_bound_model},
    {"_FortranAFPow8i", power_model<32>},
    {"_FortranAFPow8k", power_model<64>},
};

}  // namespace

std::span<const NamedModel> fortran_value_models() { return kFortranValuesModels; }

}  // namespace trikal::predict
