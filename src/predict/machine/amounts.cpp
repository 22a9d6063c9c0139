// What a call asks of the library beyond being made: bytes to move, memory to give, elements to sort.

#include <cmath>
#include <optional>

#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

using analyze::Work;

struct Asked {
  std::string_view name;  // of the function, or what it begins with
  Work work;
  int size = 0;           // the argument that says how much
  int times = -1;         // another that multiplies it
};
constexpr Asked kAsked[] = {
    {"llvm.memcpy", Work::kMovedBytes, 2},   {"llvm.memmove", Work::kMovedBytes, 2},
    {"llvm.memset", Work::kMovedBytes, 2},   {"memcpy", Work::kMovedBytes, 2},
    {"memmove", Work::kMovedBytes, 2},       {"memset", Work::kMovedBytes, 2},
    {"memcmp", Work::kMovedBytes, 2},        {"bzero", Work::kMovedBytes, 1},
    {"malloc", Work::kHeapBytes, 0},         {"calloc", Work::kHeapBytes, 0, 1},
    {"realloc", Work::kHeapBytes, 1},        {"aligned_alloc", Work::kHeapBytes, 1},
    {"posix_memalign", Work::kHeapBytes, 2}, {"_Znwm", Work::kHeapBytes, 0},
    {"_Znam", Work::kHeapBytes, 0},          {"qsort", Work::kSorted, 1},
};

const Asked* asked_of(std::string_view name) {
  for (const Asked& one : kAsked)
    if (name == one.name || (one.name.starts_with("llvm.") && name.starts_with(one.name))) return &one;
  return nullptr;
}

}  // namespace

void Calls::count_amount(const Call& call) {
  const auto [known, fresh] = asked_.try_emplace(call.name, nullptr);
  if (fresh) known->second = asked_of(call.name);
  const auto* asked = static_cast<const Asked*>(known->second);
  if (asked == nullptr) return;
  const Value size = call.argument(static_cast<std::size_t>(asked->size));
  const Value times = asked->times >= 0 ? call.argument(static_cast<std::size_t>(asked->times)) : Value::of(Word{1});
  if (!size.known() || !times.known()) return;
  double amount = static_cast<double>(size.bits) * static_cast<double>(times.bits);
  if (asked->work == Work::kSorted) amount *= std::log2(std::max(2.0, amount));
  machine_.count(call, asked->work, amount);
}

}  // namespace trikal::predict
