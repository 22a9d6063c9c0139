#include "predict/machine/machine.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <utility>

#include "predict/blocks/tree.hpp"
#include "predict/models/fortran.hpp"
#include "predict/models/inlined.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

bool asks_for_entries(const llvm::Module& module) {
  constexpr std::string_view kAsking[] = {"opendir", "fdopendir", "scandir",   "scandir64", "scandirat",
                                          "ftw",     "ftw64",     "nftw",      "nftw64",    "glob",
                                          "glob64",  "fts_open",  "fts64_open"};
  return std::ranges::any_of(module, [&](const llvm::Function& function) {
    const std::string_view name{function.getName().data(), function.getName().size()};
    return std::ranges::find(kAsking, name) != std::end(kAsking) ||
           (name.starts_with("_Z") && name.find("directory_iterator") != std::string_view::npos);
  });
}

}  // namespace

Machine::Machine(const llvm::Module& module, Setting asked)
    : setting(std::move(asked)),
      decoder(module, memory, next_address_),
      budget(setting.most_steps, setting.exact_steps, setting.most_seconds),
      module_(module) {
  lists_folders = asks_for_entries(module);
  prepare_world(*this);
  // All at once: what is written while a way is tried would be taken back with it.
  for (const llvm::GlobalVariable& variable : module.globals()) (void)decoder.address_of(variable);
}

Value Machine::unknown_character(const Instruction& at, std::string_view what) {
  const Value value = unknown(at, what);
  causes[value.cause].character = true;
  return value;
}

void Machine::note(std::string text) {
  constexpr std::size_t kMost = 100;
  if (notes.size() < kMost && std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
}

namespace {

// The bytes are what the arguments say, whatever the memory holds that is moved.
bool sized_by_arguments(const Call& call, Word bytes) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].known()) continue;
    if (call.arguments[i].bits == bytes) return true;
    for (std::size_t k = 0; k < i; ++k)
      if (call.arguments[k].known() && call.arguments[k].bits * call.arguments[i].bits == bytes) return true;
  }
  return false;
}

}  // namespace

// What an operation rests on that is not certain, and what is to be said of the file from then on; 0: nothing.
Doubt Machine::doubt_of(const Call& call, const Moved& moved) {
  File& file = world.files[moved.file];
  Doubt why = doubts.now();
  for (const Value& argument : call.arguments)
    if (why == 0) why = argument.doubt;
  const bool moves =
      moved.bytes > 0 || moved.operation == Operation::kSeek || moved.operation == Operation::kStreamSeek;
  const bool reads = analyze::reads(moved.operation);
  if (why == 0 && reads) why = file.doubt;
  if (why == 0 && reads && file.name == "<STDIN>" && !setting.stdin_told)
    file.doubt = why = doubts.of(unknown(call.at, "the standard input, of which nothing was said (--stdin)").cause);
  const bool waited = World::keeps_text(call.name) || call.name == "exit" || call.name.empty();
  if (why == 0 && waited && moved.bytes > 0) why = world.text_doubt;
  if (why != 0 && moves) file.doubt = why;
  if (why == 0 && memory.seen != 0) {
    const bool sized = moved.bytes > 0 && sized_by_arguments(call, moved.bytes);
    if (!sized) why = memory.seen;
    if (analyze::writes(moved.operation)) file.content_doubt = memory.seen;
    if (!sized && moves) file.doubt = memory.seen;
  }
  if (file.doubt != 0) memory.seen = file.doubt;
  else if (reads && file.content_doubt != 0) memory.seen = file.content_doubt;
  return why;
}

// Why a number is assumed; known: it is not.
Cause Machine::why_assumed(const Call& call, const Moved& moved) {
  if (const Doubt doubt = doubt_of(call, moved); doubt != 0) return doubts.cause_of(doubt);
  if (forks.certainty() == Certainty::kAssumed) return forks.cause();
  if (!moved.sizes_known) {
    for (const Value& argument : call.arguments)
      if (!argument.known()) return argument.cause;
    return unknown(call.at, "the size of what is moved").cause;
  }
  if (loops.end_assumed()) return unknown(call.at, "the end of a loop").cause;
  if (moved.bytes > 0 && world.files[moved.file].guessed)
    return unknown(call.at, "the size of a file that a loop without a pattern wrote").cause;
  return kKnown;
}

void Machine::access(const Call& call, const Moved& moved) {
  if (moved.file == kNoFile) return;
  const LedgerKey key{call.frame.context, call.at.id, moved.file, moved.operation, moved.selection};
  const std::uint32_t row = ledger.row(key);
  const Cause why = why_assumed(call, moved);
  if (Cause& told = ledger.at(row).why; told == kKnown) told = why;
  PredictedUse& use = ledger.at(row).use;
  use.add(weight(), static_cast<double>(moved.bytes),
          why != kKnown        ? Certainty::kAssumed
          : moved.extrapolated ? Certainty::kExtrapolated
                               : Certainty::kExact);
  use.size_unknown = use.size_unknown || !moved.sizes_known;
  use.sequential += moved.sequential ? weight() : 0;
  use.consecutive += moved.consecutive ? weight() : 0;
  use.switches += moved.switched ? weight() : 0;
  use.flags |= world.files[moved.file].flags;
  if (moved.bytes > 0 && use.first < 0) use.first = static_cast<double>(moved.offset);
  if (moved.bytes > 0) use.highest = std::max(use.highest, static_cast<double>(moved.offset + moved.bytes - 1));
  Event happened{Happened::kAccess, moved.sequential, false};
  for (const Value& argument : call.arguments) happened.data = happened.data || argument.data;
  happened.predicate = static_cast<std::uint8_t>((moved.consecutive ? 1 : 0) | (moved.switched ? 2 : 0));
  happened.id = row, happened.a = moved.offset, happened.b = moved.bytes, happened.c = moved.file;
  event(happened);
}

void Machine::compare(const Call& call, Word a, Word b, bool data) {
  Event happened{Happened::kCompare, a <= b, data};
  happened.predicate = llvm::CmpInst::ICMP_ULE;
  happened.id = call.at.id, happened.a = a, happened.b = b;
  event(happened);
}

void Machine::wrote_text(const Call& call, Word address, Word bytes) {
  Event happened{Happened::kText};
  happened.id = call.at.id, happened.a = address, happened.b = bytes;
  event(happened);
}

void Machine::count(const Call& call, analyze::Work work, double amount) {
  if (amount <= 0) return;
  const std::uint32_t number = tallies.of_call(call.frame.context, call.at.ir, work);
  tallies.counts[number] += weight() * amount;
  Event happened{Happened::kBlocks};
  happened.id = number, happened.a = std::bit_cast<Word>(weight() * amount);
  event(happened);
}

std::optional<Memory::Range> Machine::object_around(Word address) const {
  if (const auto block = world.block_around(address)) return Memory::Range{block->first, block->second};
  return memory.extent_around(address);
}

void Machine::forget_behind(const Call& call, Value pointer, std::string_view why) {
  constexpr Word kNear = 256;
  if (!pointer.known() || pointer.bits < (Word{1} << 32)) return;
  const auto object = object_around(pointer.bits);  // all of it: functions look around
  const Memory::Range range = object.value_or(Memory::Range{pointer.bits, kNear});
  memory.forget(range.address, std::min<Word>(range.bytes, Word{1} << 20), unknown(call.at, why).cause);
}

std::string Machine::where(const Call& call) const {
  std::string text;
  const auto add = [&](const llvm::Instruction* at) {
    const SourceLocation at_source = source_location_of(*at);
    text += (text.empty() ? "" : ", called at ") + at_source.source.substr(at_source.source.rfind('/') + 1) + ":" +
            std::to_string(at_source.line);
  };
  add(call.at.ir);
  for (std::uint32_t context = call.frame.context; context != 0; context = contexts[context].parent)
    add(contexts[context].call);
  return text;
}

void Machine::stop(const Call& call, const std::string& why) {
  note(why + " at " + where(call) + ", and what comes after it is not predicted");
  complete = false;
  leave(1);
}

void Machine::terminate(const Call& call, const std::string& why) {
  constexpr int kAborted = 134;
  note(why + ": the program ends with status " + std::to_string(kAborted) + " at " + where(call));
  leave(kAborted);
}

void Machine::run_constructors() {
  const llvm::GlobalVariable* list = module_.getNamedGlobal("llvm.global_ctors");
  const auto* all =
      list != nullptr && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  std::vector<std::pair<std::uint64_t, const llvm::Function*>> order;
  for (unsigned i = 0; all != nullptr && i < all->getNumOperands(); ++i) {
    const llvm::Constant* one = all->getOperand(i);
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(one->getAggregateElement(0U));
    const auto* function = llvm::dyn_cast<llvm::Function>(one->getAggregateElement(1U)->stripPointerCasts());
    if (function != nullptr) order.emplace_back(priority != nullptr ? priority->getZExtValue() : 0, function);
  }
  std::ranges::stable_sort(order, {}, &std::pair<std::uint64_t, const llvm::Function*>::first);
  for (const auto& [priority, function] : order)
    if (!function->isDeclaration()) (void)interpreter.enter(*function, {}, {}, 0);
}

// The last one first. A destructor of the library's has a model, and is called from nowhere in the program.
void Machine::run_exits() {
  const llvm::Function* start = module_.getFunction("main");
  Frame frame;
  frame.code = &decoder.code_of(*start);
  const Instruction& here = frame.code->blocks.back().instructions.back();
  while (!world.at_exit.empty()) {
    const auto [address, argument] = world.at_exit.back();
    world.at_exit.pop_back();
    const llvm::Function* function = decoder.function_at(address);
    if (function == nullptr) continue;
    const Value arguments[] = {Value::of(argument)};
    const std::string_view name{function->getName().data(), function->getName().size()};
    if (!function->isDeclaration()) {
      (void)interpreter.enter(*function, arguments, {}, 0);
    } else if (const auto model = calls.model_of(name)) {
      Call call{here, frame, name, {arguments[0]}};
      model(*this, call);
    }
  }
  settle_streams(*this, Call{here, frame, "exit", {}});
}

int Machine::run() {
  const llvm::Function* start = module_.getFunction("main");
  if (start == nullptr || start->isDeclaration()) return -1;
  try {
    std::vector<Value> arguments = main_arguments(*this);
    run_constructors();
    const std::vector<Value> result = interpreter.enter(*start, arguments, {}, 0);
    run_exits();
    fortran_end(*this);
    return result.empty() || !result[0].known() ? 0 : static_cast<int>(result[0].bits & 0xff);
  } catch (const ProgramEnd& end) {
    fortran_end(*this);
    return end.code;
  } catch (const BudgetSpent&) {
    complete = false;
    return 0;
  }
}

}  // namespace trikal::predict
