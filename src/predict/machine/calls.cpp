// Calls: of the program's own functions, of what has a model, and of what is not known.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <utility>

#include "predict/machine/machine.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr int kDeepest = 300;

bool from_system(const llvm::Function& function) {
  const llvm::DISubprogram* told = function.getSubprogram();
  return told == nullptr || told->getFilename().starts_with("/usr/");
}

}  // namespace

// What a function without a body wrote, for loops that compare their turns.
template <class Function>
void Machine::watch_memory(const Call& call, Function function) {
  if (recording_ == 0) return function();
  written_.clear();
  memory.watcher = &written_;
  try {
    function();
  } catch (...) {
    memory.watcher = nullptr;
    throw;
  }
  memory.watcher = nullptr;
  const bool by_data = std::ranges::any_of(call.arguments, &Value::data);
  for (std::size_t i = 0; i < written_.size(); ++i) {
    Memory::Range range = written_[i];
    while (i + 1 < written_.size() && written_[i + 1].address == range.address + range.bytes)
      range.bytes += written_[++i].bytes;
    tell_written(call.at.id, range.address, range.bytes);
    if (!trace.empty()) trace.back().predicate = by_data;
  }
}

void Machine::tell_written(std::uint32_t id, Word address, Word bytes, bool with_gaps) {
  constexpr Word kMost = Word{1} << 20;
  if (bytes == 0) return;
  Event happened{Happened::kWrote};
  happened.id = id, happened.a = address, happened.b = bytes;
  happened.c = bytes <= kMost && !with_gaps ? memory.digest(address, bytes) : steps | 1;  // like no other
  event(happened);
}

void Machine::put(const Call& call, Word address, unsigned bytes, Value value) {
  std::vector<Memory::Range>* const watcher = std::exchange(memory.watcher, nullptr);
  memory.store(address, bytes, value);
  memory.watcher = watcher;
  Event happened{Happened::kStore, value.known(), value.data};
  happened.id = call.at.id, happened.a = address, happened.b = value.bits, happened.c = bytes;
  event(happened);
}

void Machine::call(Frame& frame, const Instruction& instruction) {
  const auto* ir = llvm::cast<llvm::CallBase>(instruction.ir);
  Call call{instruction, frame, {}, {}};
  call.result.assign(std::max<std::uint32_t>(1, instruction.scalars), Value{});
  const llvm::Function* callee = ir->getCalledFunction();
  if (callee == nullptr && !ir->isInlineAsm()) {
    const Value target = frame[instruction.operands.back()];
    if (target.known()) callee = decoder.function_at(target.bits);
  }
  if (callee != nullptr) call.name = {callee->getName().data(), callee->getName().size()};
  for (unsigned i = 0; i < ir->arg_size(); ++i) {
    const std::size_t scalars = std::max<std::size_t>(1, decoder.parts_of(ir->getArgOperand(i)->getType()).size());
    const Operand first = instruction.operands[i];
    for (std::size_t k = 0; k < scalars; ++k)
      call.arguments.push_back(frame[first >= 0 ? first + static_cast<Operand>(k) : first - static_cast<Operand>(k)]);
  }
  if (ir->isInlineAsm() && assembler(call)) {
    for (std::uint32_t i = 0; i < instruction.scalars && i < call.result.size(); ++i)
      frame.places[instruction.place + i] = call.result[i];
    return;
  }
  count_amount(call);
  const auto model =
      callee != nullptr ? model_for(models_, {callee->getName().data(), callee->getName().size()}) : nullptr;
  if (model != nullptr && (callee->isDeclaration() || from_system(*callee))) {
    watch_memory(call, [&] { model(*this, call); });
  } else if (callee != nullptr && !callee->isDeclaration()) {
    if (depth_ >= kDeepest) {
      note("calls are too deep in " + llvm::demangle(callee->getName()));
      call.returns(unknown(instruction, "recursion that is too deep"));
    } else {
      const std::uint64_t key = std::uint64_t{frame.context} << 32 | instruction.id;
      const auto [context, fresh] = context_of_.try_emplace(key, static_cast<std::uint32_t>(contexts.size()));
      if (fresh) contexts.push_back({frame.context, instruction.ir});
      std::size_t named = 0;
      for (const llvm::Argument& argument : callee->args())
        named += std::max<std::size_t>(1, decoder.parts_of(argument.getType()).size());
      named = std::min(named, call.arguments.size());
      call.result = enter(*callee, std::span(call.arguments).first(named), std::span(call.arguments).subspan(named),
                          context->second);
      call.result.resize(std::max<std::uint32_t>(1, instruction.scalars));
    }
  } else {
    call_unknown(frame, instruction, callee, call);
  }
  if (ir->getType()->isVoidTy()) return;
  for (std::uint32_t i = 0; i < instruction.scalars; ++i)
    frame.places[instruction.place + i] = i < call.result.size() ? call.result[i] : Value{};
}

// Assembler that is known: none at all, which keeps compilers from being clever and leaves values as they are; hints for the
// processor; questions about it, answered as by one that has nothing special, so that plain code is chosen.
bool Machine::assembler(Call& call) const {
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const llvm::StringRef text =
      llvm::StringRef(llvm::cast<llvm::InlineAsm>(ir->getCalledOperand())->getAsmString()).trim();
  if (text.contains("cpuid") || text.contains("xgetbv")) return true;
  if (text == "pause" || text == "nop" || text == "rep; nop" || text == "yield" || text.starts_with("mfence"))
    return true;
  if (!text.empty() || call.result.size() > call.arguments.size()) return text.empty() && ir->getType()->isVoidTy();
  for (std::size_t i = 0; i < call.result.size(); ++i) call.result[i] = call.arguments[i];
  return true;
}

// Nothing is known of it: neither what it returns nor what it does behind pointers.
void Machine::call_unknown(Frame& frame, const Instruction& instruction, const llvm::Function* callee, Call& call) {
  const auto* ir = llvm::cast<llvm::CallBase>(instruction.ir);
  const std::string name = callee != nullptr ? llvm::demangle(callee->getName()) : "a function that is not known";
  if (callee != nullptr && callee->isIntrinsic()) {
    watch_memory(call, [&] {
      if (!intrinsic(*this, call, *callee)) call.returns(unknown(instruction, name));
    });
    return;
  }
  if (const auto assumed = setting.assumed.find(name); assumed != setting.assumed.end()) {
    call.returns(Value::of(static_cast<Word>(assumed->second)));
  } else {
    for (Value& value : call.result) value = unknown(instruction, "the result of " + name);
  }
  if (callee != nullptr) unmodelled.insert(name);
  if (callee != nullptr && callee->doesNotReturn()) {  // std::__throw_out_of_range: somebody may catch it
    note(name + " does not return, and what comes after it is not predicted");
    complete = false;
    leave(1);
  }
  for (unsigned i = 0; i < ir->arg_size() && i < call.arguments.size(); ++i) {
    if (!ir->getArgOperand(i)->getType()->isPointerTy() || ir->onlyReadsMemory(i)) continue;
    forget_behind(call, call.arguments[i], "what " + name + " left behind a pointer");
  }
  (void)frame;
}

void Machine::run_child(const Call& call) {
  Frame child = call.frame;
  child.loops.clear();  // those of the parent stay the parent's
  const auto holds = [&](const Block& block) {
    return &call.at >= block.instructions.data() && &call.at < block.instructions.data() + block.instructions.size();
  };
  const auto here = std::ranges::find_if(child.code->blocks, holds);
  if (here == child.code->blocks.end()) return;
  const auto number = static_cast<std::uint32_t>(here - child.code->blocks.begin());
  const World before = world;
  const int depth = depth_;
  const unsigned recording = recording_;
  const Word stack = stack_;
  const std::size_t journal = memory.begin_journal();
  child.places[call.at.place] = Value::of(Word{0});
  std::optional<Word> status;
  world.became_another = false;
  try {
    const auto behind = static_cast<std::size_t>(&call.at - here->instructions.data()) + 1;
    const Jump jump = run_block(child, number, behind);
    if (!jump.done) (void)run(child, jump.to, number, kNone);
    note("a child process was followed to the end of the function that made it, not further");
  } catch (const Left& left) {  // it has ended, as children do
    if (!world.became_another) status = static_cast<Word>(left.code & 0xff) << 8;
  } catch (const Unwinding&) {
    note("a child process threw where its parent would catch it, and was followed until then");
  } catch (const LongJump&) {
    note("a child process was followed to its longjmp, not further");
  }
  (void)memory.roll_back(journal);
  depth_ = depth, recording_ = recording, stack_ = stack;
  const World after = std::exchange(world, before);
  world.know(after, true);  // what it wrote is there for everybody
  if (world.children > 0 && status != world.child_status) status.reset();
  world.child_status = status;
  ++world.children;
}

void Machine::leave_thread(ThreadEnd how) {
  left_thread_ = how;
  leave(0);
}

Machine::ThreadEnd Machine::run_thread(Word function, Value argument, const Call& call, Value& result) {
  const World before = world;
  const int depth = depth_;
  const unsigned recording = recording_, assumed = assumed_loops_;
  const Word stack = stack_;
  const double done = ledger.operations();
  const std::size_t journal = memory.begin_journal();
  ThreadEnd how = ThreadEnd::kReturned;
  std::optional<Left> end;
  ++threads_;
  left_thread_.reset();
  try {
    const Value arguments[] = {argument};
    const std::vector<Value> values = invoke(function, arguments, call);
    if (!values.empty()) result = values[0];
  } catch (const Left& left) {
    if (left_thread_) how = *left_thread_;
    else end = left;  // the whole program ends
  }
  --threads_;
  left_thread_.reset();
  depth_ = depth, recording_ = recording, assumed_loops_ = assumed, stack_ = stack;
  const Memory::Pages pages = memory.roll_back(journal);
  if (how == ThreadEnd::kWaits && ledger.operations() == done) return world = before, how;
  memory.adopt(pages);
  if (end) throw Left{*end};
  return how;
}

void Machine::forget_behind(const Call& call, Value pointer, std::string_view why) {
  constexpr Word kNear = 256;
  if (!pointer.known() || pointer.bits < (Word{1} << 32)) return;
  const Word bytes = world.size_at(pointer.bits).value_or(kNear);
  memory.forget(pointer.bits, std::min<Word>(bytes, Word{1} << 20), unknown(call.at, why).cause);
}

}  // namespace trikal::predict
