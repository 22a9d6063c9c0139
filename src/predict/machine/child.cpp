#include "predict/machine/child.hpp"

#include <optional>
#include <utility>

#include "predict/machine/machine.hpp"

namespace trikal::predict {
namespace {

// Its exit status, where it has one.
std::optional<Word> run_to_end(Machine& machine, Frame& child, CodeLocation behind) {
  try {
    const Jump jump = machine.interpreter.run_block(child, behind.block, behind.instruction);
    if (!jump.done) (void)machine.interpreter.run(child, jump.to, behind.block, kNone);
    machine.note("a child process was followed to the end of the function that made it, not further");
  } catch (const ProgramEnd& end) {  // as children end
    if (!machine.world.became_another) return static_cast<Word>(end.code & 0xff) << 8;
  } catch (const Unwinding&) {
    machine.note("a child process threw where its parent would catch it, and was followed until then");
  } catch (const LongJump&) {
    machine.note("a child process was followed to its longjmp, not further");
  }
  return std::nullopt;
}

}  // namespace

void run_child(Machine& machine, const Call& call) {
  Frame child = call.frame;
  child.loops.clear();  // those of the parent stay the parent's
  child.in_doubt = false;  // the parent ends what it has begun
  const CodeLocation at = code_location_of(*child.code, call.at);
  if (at.block == kNone) return;
  const World before = machine.world;
  const Interpreter::Position position = machine.interpreter.position();
  const std::size_t journal = machine.memory.begin_journal();
  child.slots[call.at.slot] = Value::of(Word{0});
  machine.world.became_another = false;
  std::optional<Word> status = run_to_end(machine, child, {at.block, at.instruction + 1});
  (void)machine.memory.roll_back(journal);
  machine.interpreter.return_to(position);
  const World after = std::exchange(machine.world, before);
  machine.world.know(after, true);  // what it wrote is there for everybody
  if (machine.world.children > 0 && status != machine.world.child_status) status.reset();
  machine.world.child_status = status;
  ++machine.world.children;
}

}  // namespace trikal::predict
