// Sorting and searching with a function of the program's.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

struct Unclear {  // thrown where a comparison's outcome is not known
  Cause cause;
};

void forget_order(Machine& machine, const Call& call, const Sorted& what) {
  machine.memory.forget(what.base, what.count * what.size,
                        machine.unknown(call.at, "the order that was sorted into").cause);
}

bool affordable(const Machine& machine, Word count) {
  constexpr double kStepsOfAComparison = 40;
  const auto n = static_cast<double>(count);
  return n * std::log2(n) * kStepsOfAComparison < static_cast<double>(machine.budget.steps_to_spare());
}

void qsort_model(Machine& machine, Call& call) {
  const Value base = call.argument(0), count = call.argument(1), size = call.argument(2);
  if (!base.known() || !count.known() || !size.known()) return;
  sort_elements(machine, call, {base.bits, count.bits, size.bits}, call.argument(3),
                call.name == "qsort_r" ? std::optional(call.argument(4)) : std::nullopt);
}

void bsearch_model(Machine& machine, Call& call) {
  const Value key = call.argument(0), base = call.argument(1), count = call.argument(2), size = call.argument(3);
  const Value by = call.argument(4);
  for (const Value& one : {key, base, count, size, by})
    if (!one.known()) return call.returns(one);
  Word low = 0, high = count.bits;
  while (low < high) {
    const Word middle = (low + high) / 2, at = base.bits + middle * size.bits;
    const std::vector<Value> pair = {key, Value::of(at)};
    const std::vector<Value> result = machine.invoke(by.bits, pair, call);
    if (result.empty() || !result[0].known()) return call.returns(machine.unknown(call.at, "where bsearch finds it"));
    const std::int64_t order = with_sign(result[0].bits, 32);
    if (order == 0) return call.returns(Value::of(at));
    if (order < 0) high = middle;
    else low = middle + 1;
  }
}

constexpr NamedModel kSortingModels[] = {{"qsort", qsort_model}, {"qsort_r", qsort_model}, {"bsearch", bsearch_model}};

}  // namespace

// Elements are compared where a copy of them lies, as libc's merging does; equal ones keep their order.
void sort_elements(Machine& machine, const Call& call, const Sorted& what, Value by, std::optional<Value> more) {
  if (what.count < 2) return;
  if (!by.known() || !affordable(machine, what.count)) return forget_order(machine, call, what);
  const Word copy = machine.world.take(what.count * what.size);
  machine.memory.copy(copy, what.base, what.count * what.size);
  std::vector<Word> order(what.count);
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](Word a, Word b) {
    std::vector<Value> pair = {Value::of(copy + a * what.size), Value::of(copy + b * what.size)};
    if (more) pair.push_back(*more);
    const std::vector<Value> result = machine.invoke(by.bits, pair, call);
    if (result.empty() || !result[0].known()) throw Unclear{result.empty() ? kKnown : result[0].cause};
    return with_sign(result[0].bits, 32) < 0;
  };
  try {
    std::ranges::stable_sort(order, before);
    for (Word i = 0; i < what.count; ++i)
      machine.memory.copy(what.base + i * what.size, copy + order[i] * what.size, what.size);
  } catch (const Unclear&) {
    forget_order(machine, call, what);
  }
  machine.world.give_back(copy);
}

std::span<const NamedModel> sorting_models() { return kSortingModels; }

}  // namespace trikal::predict
