#include "predict/machine/calls.hpp"

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

// What these read shows in the operations that they tell, one by one, and their results are taken as being without a pattern.
bool tells_what_decides(std::string_view name) {
  return name.starts_with("io_uring_") || name.starts_with("__io_uring_");
}

std::string_view name_of(const llvm::Function& function) {
  return {function.getName().data(), function.getName().size()};
}

}  // namespace

Calls::Calls(Machine& machine) : machine_(machine), models_(all_models()) {}

Model Calls::model_of(std::string_view name) const { return model_for(models_, name); }

Calls::Watch Calls::watch() const {
  return {machine_.memory.watcher, written_, machine_.memory.reader, machine_.memory.by_model, machine_.memory.seen};
}

void Calls::set_watch(Watch watch) {
  machine_.memory.watcher = watch.watcher;
  machine_.memory.reader = watch.reader;
  machine_.memory.by_model = watch.by_model, machine_.memory.seen = watch.seen;
  written_ = std::move(watch.written);
}

// What a function without a body returns and writes rests on what its arguments and all that it read rest on, and has no
// pattern where they have none.
template <class Function>
void Calls::keep_doubts(Call& call, Function function) {
  Memory& memory = machine_.memory;
  const bool outer = std::exchange(memory.by_model, true);
  const Doubt before = std::exchange(memory.seen, Doubt{0});
  bool data = false;
  for (const Value& argument : call.arguments) {
    if (argument.doubt != 0) memory.seen = argument.doubt;
    data = data || argument.data;
  }
  try {
    function();
  } catch (...) {
    memory.by_model = outer;
    throw;
  }
  memory.by_model = outer;
  for (Value& value : call.result) value.rest_on(memory.seen), value.data = value.data || data;
  if ((memory.seen != 0 || memory.in_doubt != 0) && World::keeps_text(call.name))
    machine_.world.text_doubt = memory.seen != 0 ? memory.seen : memory.in_doubt;
  memory.seen = before;
}

// What a function without a body wrote, for loops that compare their iterations.
template <class Function>
void Calls::watch_memory(const Call& call, Function function) {
  if (!machine_.loops.recording()) return function();
  written_.clear(), read_.clear();
  machine_.memory.watcher = &written_;
  machine_.memory.reader = tells_what_decides(call.name) ? nullptr : &read_;
  try {
    function();
  } catch (...) {
    machine_.memory.watcher = machine_.memory.reader = nullptr;
    throw;
  }
  machine_.memory.watcher = machine_.memory.reader = nullptr;
  tell_read(call);
  const bool by_data = std::ranges::any_of(call.arguments, &Value::data);
  for (std::size_t i = 0; i < written_.size(); ++i) {
    Memory::Range range = written_[i];
    while (i + 1 < written_.size() && written_[i + 1].address == range.address + range.bytes)
      range.bytes += written_[++i].bytes;
    tell_written(call.at.id, range.address, range.bytes);
    if (Event* const last = machine_.loops.last_event()) last->predicate = by_data;
  }
}

// What decided on what it did: iterations that find something else there are not like those before.
void Calls::tell_read(const Call& call) {
  constexpr std::size_t kMost = 16;
  constexpr Word kLongest = Word{1} << 16;
  for (std::size_t i = 0; i < read_.size() && i <= kMost; ++i) {
    const Memory::Range range = read_[i];
    Event happened{Happened::kRead};
    happened.id = call.at.id, happened.a = range.address, happened.b = range.bytes;
    happened.c = i < kMost ? machine_.memory.digest(range.address, std::min(range.bytes, kLongest))
                           : machine_.budget.steps() | 1;  // the rest: like no other
    machine_.event(happened);
  }
}

void Calls::tell_written(std::uint32_t id, Word address, Word bytes, bool with_gaps) {
  constexpr Word kMost = Word{1} << 20;
  if (bytes == 0) return;
  const bool digested = bytes <= kMost && !with_gaps;
  Event happened{Happened::kWrote};
  happened.id = id, happened.a = address, happened.b = bytes;
  happened.c = digested ? machine_.memory.digest(address, bytes) : machine_.budget.steps() | 1;  // like no other
  machine_.event(happened);
}

void Calls::put(const Call& call, Word address, unsigned bytes, Value value) {
  std::vector<Memory::Range>* const watcher = std::exchange(machine_.memory.watcher, nullptr);
  machine_.memory.store(address, bytes, value);
  machine_.memory.watcher = watcher;
  Event happened{Happened::kStore, value.known(), value.data};
  happened.id = call.at.id, happened.a = address, happened.b = value.bits, happened.c = bytes;
  machine_.event(happened);
}

std::vector<Value> Calls::invoke(Word function, std::span<const Value> arguments, const Call& call) {
  const llvm::Function* callee = machine_.decoder.function_at(function);
  if (callee == nullptr) return {machine_.unknown(call.at, "a function that is not there")};
  if (callee->isDeclaration()) {  // one of the library's
    const auto model = model_of(name_of(*callee));
    if (model == nullptr) return {machine_.unknown(call.at, "a function that is not there")};
    Call own{call.at, call.frame, name_of(*callee), {arguments.begin(), arguments.end()}};
    model(machine_, own);
    return own.result;
  }
  Watch watch{std::exchange(machine_.memory.watcher, nullptr), std::move(written_),  // it tells of its own stores
              std::exchange(machine_.memory.reader, nullptr), std::exchange(machine_.memory.by_model, false),
              machine_.memory.seen};
  std::vector<Value> result = machine_.interpreter.enter(*callee, arguments, {}, call.frame.context);
  set_watch(std::move(watch));
  return result;
}

std::vector<Value> Calls::arguments_of(const Frame& frame, const Instruction& instruction) const {
  const auto* ir = llvm::cast<llvm::CallBase>(instruction.ir);
  std::vector<Value> arguments;
  for (unsigned i = 0; i < ir->arg_size(); ++i) {
    const std::size_t scalars = machine_.decoder.parts_of(ir->getArgOperand(i)->getType()).size();
    for (std::size_t k = 0; k < std::max<std::size_t>(1, scalars); ++k)
      arguments.push_back(frame[part(instruction.operands[i], k)]);
  }
  return arguments;
}

void Calls::run(Frame& frame, const Instruction& instruction) {
  const auto* ir = llvm::cast<llvm::CallBase>(instruction.ir);
  Call call{instruction, frame, {}, arguments_of(frame, instruction)};
  call.result.assign(std::max<std::uint32_t>(1, instruction.scalars), Value{});
  const llvm::Function* callee = ir->getCalledFunction();
  if (callee == nullptr && !ir->isInlineAsm()) {
    const Value target = frame[instruction.operands.back()];
    if (target.known()) callee = machine_.decoder.function_at(target.bits);
  }
  if (callee != nullptr) call.name = name_of(*callee);
  if (!ir->isInlineAsm() || !assembler(call)) dispatch(call, callee);
  if (ir->getType()->isVoidTy()) return;
  for (std::uint32_t i = 0; i < instruction.scalars; ++i)
    frame.slots[instruction.slot + i] = i < call.result.size() ? call.result[i] : Value{};
}

void Calls::dispatch(Call& call, const llvm::Function* callee) {
  count_amount(call);
  const auto model = callee != nullptr ? model_of(call.name) : nullptr;
  if (model != nullptr && (callee->isDeclaration() || from_system(*callee)))
    watch_memory(call, [&] { keep_doubts(call, [&] { model(machine_, call); }); });
  else if (callee != nullptr && !callee->isDeclaration()) call_own(call, *callee);
  else call_unknown(call, callee);
}

void Calls::call_own(Call& call, const llvm::Function& callee) {
  if (machine_.stack.depth >= kDeepest) {
    machine_.note("calls are too deep in " + llvm::demangle(callee.getName()));
    return call.returns(machine_.unknown(call.at, "recursion that is too deep"));
  }
  const std::uint32_t context = machine_.contexts.number_of(call.frame.context, call.at);
  std::size_t named = 0;
  for (const llvm::Argument& argument : callee.args())
    named += std::max<std::size_t>(1, machine_.decoder.parts_of(argument.getType()).size());
  named = std::min(named, call.arguments.size());
  const std::span<const Value> all(call.arguments);
  call.result = machine_.interpreter.enter(callee, all.first(named), all.subspan(named), context);
  call.result.resize(std::max<std::uint32_t>(1, call.at.scalars));
}

// Assembler that is known: none at all, which keeps compilers from being clever and leaves values as they are; hints for the
// processor; questions about it, answered as by one that has nothing special, so that plain code is chosen.
bool Calls::assembler(Call& call) {
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
void Calls::call_unknown(Call& call, const llvm::Function* callee) {
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const std::string name = callee != nullptr ? llvm::demangle(callee->getName()) : "a function that is not known";
  if (callee != nullptr && callee->isIntrinsic()) {
    watch_memory(call, [&] { keep_doubts(call, [&] { intrinsic(machine_, call, *callee); }); });
    return;
  }
  const auto& all = machine_.setting.assumed;
  if (const auto assumed = all.find(name); assumed != all.end()) {
    call.returns(Value::of(static_cast<Word>(assumed->second)));
  } else {
    for (Value& value : call.result) value = machine_.unknown(call.at, "the result of " + name);
  }
  if (callee != nullptr) machine_.unmodelled.insert(name);
  else machine_.doubts.for_good(machine_.unknown(call.at, "a function that is not known").cause);  // it may do anything
  if (callee != nullptr && callee->doesNotReturn()) {  // std::__throw_out_of_range: somebody may catch it
    machine_.note(name + " does not return, and what comes after it is not predicted");
    machine_.complete = false;
    machine_.leave(1);
  }
  for (unsigned i = 0; i < ir->arg_size() && i < call.arguments.size(); ++i) {
    if (!ir->getArgOperand(i)->getType()->isPointerTy() || ir->onlyReadsMemory(i)) continue;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(ir->getArgOperand(i)->stripInBoundsOffsets());
    if (variable != nullptr && variable->isConstant()) continue;  // whoever writes there is stopped
    machine_.forget_behind(call, call.arguments[i], "what " + name + " left behind a pointer");
  }
}

}  // namespace trikal::predict
