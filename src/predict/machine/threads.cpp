#include "predict/machine/threads.hpp"

#include "predict/machine/machine.hpp"
#include "predict/machine/team.hpp"

namespace trikal::predict {

void Threads::leave(End how) {
  left_ = how;
  machine_.leave(0);
}

Threads::End Threads::run(Word function, Value argument, const Call& call, Value& result) {
  const World before = machine_.world;
  const Interpreter::Position position = machine_.interpreter.position();
  const unsigned assumed = machine_.loops.assumed();
  const double done = machine_.ledger.operations();
  const std::size_t journal = machine_.memory.begin_journal();
  End how = End::kReturned;
  std::optional<ProgramEnd> end;
  ++running_;
  left_.reset();
  try {
    const Value arguments[] = {argument};
    const std::vector<Value> values = machine_.invoke(function, arguments, call);
    if (!values.empty()) result = values[0];
  } catch (const ProgramEnd& one) {
    if (left_) how = *left_;
    else end = one;
  }
  --running_;
  left_.reset();
  machine_.interpreter.return_to(position);
  machine_.loops.put_back_assumed(assumed);
  const Memory::Pages pages = machine_.memory.roll_back(journal);
  if (how == End::kWaits && machine_.ledger.operations() == done) return machine_.world = before, how;
  machine_.memory.adopt(pages);
  if (end) throw ProgramEnd{*end};
  return how;
}

Threads::Strand Threads::strand() const {
  return {machine_.stack, machine_.calls.watch(), machine_.unwinder.handlers()};
}

void Threads::go_on_as(Strand strand) {
  machine_.stack = std::move(strand.stack);
  machine_.calls.set_watch(std::move(strand.watch));
  machine_.unwinder.set_handlers(std::move(strand.handlers));
}

bool Threads::follows_another() const { return team != nullptr && team->number() != 0; }

}  // namespace trikal::predict
