// setjmp and longjmp. A buffer has its own address in it, so that copies of it lead to the same setjmp.

#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

void set_model(Machine& machine, Call& call) {
  const Value buffer = call.argument(0);
  if (!buffer.known()) return machine.note("where longjmp would go is not known");
  std::erase_if(call.frame.marks, [&](const auto& one) { return one.first == buffer.bits; });
  call.frame.marks.emplace_back(buffer.bits, &call.at);
  machine.memory.store(buffer.bits, 8, buffer);
}
void jump_model(Machine& machine, Call& call) {
  const Value buffer = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 8) : call.argument(0);
  if (!buffer.known()) return machine.stop(call, "longjmp goes where it is not known");
  Value value = call.argument(1);
  if (value.known() && lowest(value.bits, 32) == 0) value = Value::of(Word{1});
  machine.unwinder.jump_back(call, buffer.bits, value);
}

constexpr NamedModel kJumpsModels[] = {
    {"setjmp", set_model},   {"_setjmp", set_model},   {"__sigsetjmp", set_model}, {"sigsetjmp", set_model},
    {"longjmp", jump_model}, {"_longjmp", jump_model}, {"siglongjmp", jump_model}, {"__longjmp_chk", jump_model},
};

}  // namespace

std::span<const NamedModel> jump_models() { return kJumpsModels; }

}  // namespace trikal::predict
