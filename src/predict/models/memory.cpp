// The heap.

#include <algorithm>

#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void take(Machine& machine, Call& call, Value bytes) {
  constexpr Word kAssumed = Word{1} << 20;
  call.returns(Value::of(machine.world.take(bytes.known() ? bytes.bits : kAssumed)));
}
void malloc_model(Machine& machine, Call& call) { take(machine, call, call.argument(0)); }
// What no machine has.
void new_model(Machine& machine, Call& call) {
  constexpr Word kTooMuch = Word{1} << 46;
  if (call.argument(0).known() && call.argument(0).bits >= kTooMuch) throw_standard(machine, call, "St9bad_alloc", "");
  take(machine, call, call.argument(0));
}
void aligned_model(Machine& machine, Call& call) { take(machine, call, call.argument(1)); }

void calloc_model(Machine& machine, Call& call) {
  const Value a = call.argument(0), b = call.argument(1);
  take(machine, call, !a.known() ? a : !b.known() ? b : Value::of(a.bits * b.bits));
  if (a.known() && b.known()) machine.memory.fill(call.result[0].bits, a.bits * b.bits, 0);
}

void realloc_model(Machine& machine, Call& call) {
  const Value before = call.argument(0);
  take(machine, call, call.argument(1));
  if (!before.known() || before.bits == 0) return;
  const Word old = machine.world.size_at(before.bits).value_or(0);
  machine.memory.copy(call.result[0].bits, before.bits,
                      call.argument(1).known() ? std::min(old, call.argument(1).bits) : old);
  machine.world.give_back(before.bits);
}

void reallocarray_model(Machine& machine, Call& call) {
  const Value count = call.argument(1), size = call.argument(2);
  call.arguments[1] = !count.known() ? count : !size.known() ? size : Value::of(count.bits * size.bits);
  realloc_model(machine, call);
}
void usable_size_model(Machine& machine, Call& call) {
  const Value at = call.argument(0);
  if (!at.known()) return call.returns(at);
  constexpr Word kHead = 8, kAligned = 16, kLeast = 24;  // as glibc rounds
  const Word asked = machine.world.size_at(at.bits).value_or(0);
  const Word whole = (asked + kHead + kAligned - 1) / kAligned * kAligned - kHead;
  call.returns(Value::of(at.bits == 0 ? 0 : std::max(kLeast, whole)));
}

void posix_memalign_model(Machine& machine, Call& call) {
  const Value bytes = call.argument(2);
  const Word address = machine.world.take(bytes.known() ? bytes.bits : Word{1} << 20);
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 8, Value::of(address));
  call.returns(Value::of(Word{0}));
}

void free_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits);
}

constexpr NamedModel kMemoryModels[] = {
    {"reallocarray", reallocarray_model},
    {"malloc_usable_size", usable_size_model},
    {"pvalloc", malloc_model},
    {"cfree", free_model},
    {"malloc", malloc_model},
    {"calloc", calloc_model},
    {"realloc", realloc_model},
    {"free", free_model},
    {"valloc", malloc_model},
    {"memalign", aligned_model},
    {"aligned_alloc", aligned_model},
    {"posix_memalign", posix_memalign_model},
    {"_Znwm", new_model},
    {"_Znam", new_model},
    {"_ZdlPv", free_model},
    {"_ZdaPv", free_model},
    {"_ZdlPvm", free_model},
    {"_ZdaPvm", free_model},
};

}  // namespace

std::span<const NamedModel> memory_models() { return kMemoryModels; }

}  // namespace trikal::predict
