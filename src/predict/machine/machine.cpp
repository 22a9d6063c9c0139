#include "predict/machine/machine.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <utility>

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
    : setting(std::move(asked)), decoder(module, memory, next_address_), models_(all_models()), module_(module) {
  contexts.push_back({});
  causes.push_back({"known", nullptr, 0});
  deadline_ = std::chrono::steady_clock::now() +
              std::chrono::milliseconds(static_cast<std::int64_t>(setting.most_seconds * 1000));
  lists_folders = asks_for_entries(module);
  prepare_world(*this);
  // All at once: what is written while a way is tried would be taken back with it.
  for (const llvm::GlobalVariable& variable : module.globals()) (void)decoder.address_of(variable);
}

Value Machine::unknown(const Instruction& at, std::string_view what) {
  auto& here = cause_of_[at.ir];
  const auto [found, fresh] = here.try_emplace(std::string(what), static_cast<Cause>(causes.size()));
  if (fresh) causes.push_back({std::string(what), at.ir, 0});
  return Value::unknown(found->second);
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

void Machine::leave(int code) { throw Left{code}; }

void Machine::access(const Call& call, const Moved& moved) {
  if (moved.file == kNoFile) return;
  const LedgerKey key{call.frame.context, call.at.id, moved.file, moved.operation, moved.selection};
  const std::uint32_t row = ledger.row(key);
  PredictedUse& use = ledger.at(row).use;
  const Certainty sure = moved.extrapolated ? std::max(certainty_, Certainty::kExtrapolated) : certainty_;
  const bool guessed = moved.bytes > 0 && world.files[moved.file].guessed;
  use.add(weight_, static_cast<double>(moved.bytes),
          moved.sizes_known && assumed_loops_ == 0 && !guessed ? sure : Certainty::kAssumed);
  use.size_unknown = use.size_unknown || !moved.sizes_known;
  use.sequential += moved.sequential ? weight_ : 0;
  use.consecutive += moved.consecutive ? weight_ : 0;
  use.switches += moved.switched ? weight_ : 0;
  use.flags |= world.files[moved.file].flags;
  if (moved.bytes > 0 && use.first < 0) use.first = static_cast<double>(moved.offset);
  if (moved.bytes > 0) use.highest = std::max(use.highest, static_cast<double>(moved.offset + moved.bytes - 1));
  Event happened{Happened::kAccess, moved.sequential, false};
  for (const Value& argument : call.arguments) happened.data = happened.data || argument.data;
  happened.predicate = static_cast<std::uint8_t>((moved.consecutive ? 1 : 0) | (moved.switched ? 2 : 0));
  happened.id = row, happened.a = moved.offset, happened.b = moved.bytes, happened.c = moved.file;
  event(happened);
}

void Machine::compare(const Call& call, Word a, Word b) {
  Event happened{Happened::kCompare, a <= b};
  happened.predicate = llvm::CmpInst::ICMP_ULE;
  happened.id = call.at.id, happened.a = a, happened.b = b;
  event(happened);
}

void Machine::wrote_text(const Call& call, Word address, Word bytes) {
  Event happened{Happened::kText};
  happened.id = call.at.id, happened.a = address, happened.b = bytes;
  event(happened);
}

std::optional<Memory::Range> Machine::object_around(Word address) const {
  if (const auto block = world.block_around(address)) return Memory::Range{block->first, block->second};
  return memory.extent_around(address);
}

std::vector<Value> Machine::invoke(Word function, std::span<const Value> arguments, const Call& call) {
  const llvm::Function* callee = decoder.function_at(function);
  if (callee == nullptr) return {unknown(call.at, "a function that is not there")};
  if (callee->isDeclaration()) {  // one of the library's
    const std::string_view name{callee->getName().data(), callee->getName().size()};
    const auto model = model_for(models_, name);
    if (model == nullptr) return {unknown(call.at, "a function that is not there")};
    Call own{call.at, call.frame, name, {arguments.begin(), arguments.end()}};
    model(*this, own);
    return own.result;
  }
  std::vector<Memory::Range>* const watcher = std::exchange(memory.watcher, nullptr);  // it tells of its own stores
  std::vector<Memory::Range> written = std::move(written_);
  std::vector<Value> result = enter(*callee, arguments, {}, call.frame.context);
  written_ = std::move(written);
  memory.watcher = watcher;
  return result;
}

// A function that is being run, until it is left, however that comes.
class Machine::Inside {
 public:
  Inside(Machine& machine, Frame& frame) : machine_(machine), frame_(frame), stack_(machine.stack_) {
    ++machine_.depth_;
    machine_.frames_.push_back(&frame_);
  }
  ~Inside() {
    --machine_.depth_;
    machine_.frames_.pop_back();
    machine_.forget_loops(frame_, 0);
    machine_.stack_ = stack_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Machine& machine_;
  Frame& frame_;
  Word stack_;
};

std::vector<Value> Machine::enter(const llvm::Function& function, std::span<const Value> arguments,
                                  std::span<const Value> rest, std::uint32_t context) {
  const Code& code = decoder.code_of(function);
  last_address_.resize(decoder.instruction_count());
  Frame frame;
  frame.code = &code;
  frame.places.resize(code.places);
  frame.rest.assign(rest.begin(), rest.end());
  frame.context = context;
  frame.tally = tallies.of_code(context, code);
  std::ranges::copy(arguments.first(std::min<std::size_t>(arguments.size(), code.arguments)), frame.places.begin());
  const Inside inside(*this, frame);
  Outcome outcome = run(frame, 0, kNone, kNone);
  return std::move(outcome.values);
}

void Machine::spend(const Frame& frame, const Block& block) {
  steps += block.instructions.size() + 1;
  const auto number = frame.tally + static_cast<std::uint32_t>(&block - frame.code->blocks.data());
  tallies.counts[number] += weight_;
  event({Happened::kBlock, false, false, 64, 0, number});
  if (steps > setting.most_steps) throw Exhausted{};
  if ((steps & 0xfff) < block.instructions.size() + 1 && std::chrono::steady_clock::now() > deadline_)
    throw Exhausted{};
}

void Machine::choose_phis(Frame& frame, const Block& block, std::uint32_t from) {
  if (block.phis.empty()) return;
  chosen_.clear();
  for (const Phi& phi : block.phis) {
    const auto found = std::ranges::find(phi.from, from, &std::pair<std::uint32_t, Operand>::first);
    for (std::uint32_t i = 0; i < phi.scalars; ++i) {
      if (found == phi.from.end()) chosen_.emplace_back();
      else if (found->second >= 0) chosen_.push_back(frame[found->second + static_cast<Operand>(i)]);
      else chosen_.push_back(frame[found->second - static_cast<Operand>(i)]);
    }
  }
  std::size_t next = 0;
  for (const Phi& phi : block.phis)
    for (std::uint32_t i = 0; i < phi.scalars; ++i) frame.places[phi.place + i] = chosen_[next++];
}

void Machine::arrive(Frame& frame, std::uint32_t block, std::uint32_t from, bool joined) {
  const Code& code = *frame.code;
  const Block& here = code.blocks[block];
  std::size_t keep = frame.loops.size();
  while (keep > 0 && !code.inside(block, frame.loops[keep - 1].loop)) --keep;
  forget_loops(frame, keep);
  if (!joined) choose_phis(frame, here, from);
  if (!here.header) return;
  const bool again =
      !frame.loops.empty() && frame.loops.back().loop == here.loop && from != kNone && code.inside(from, here.loop);
  if (again) turn(frame);
  else start_loop(frame, here.loop);
}

Machine::Outcome Machine::returned(const Frame& frame, const Instruction& instruction) {
  Outcome outcome;
  if (instruction.operands.empty()) return outcome;
  const Operand first = instruction.operands[0];
  const std::size_t count = decoder.parts_of(instruction.ir->getOperand(0)->getType()).size();
  for (Operand i = 0; i < static_cast<Operand>(std::max<std::size_t>(1, count)); ++i)
    outcome.values.push_back(frame[first >= 0 ? first + i : first - i]);
  return outcome;
}

Machine::Outcome Machine::run(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop) {
  bool joined = false;  // a fork ended before this block, and its phis are chosen
  std::size_t first = 0;  // instruction of the block: not the first where longjmp came back
  while (true) {
    if (first == 0 && block == stop && from != kNone) {
      if (!joined) choose_phis(frame, frame.code->blocks[block], from);
      return {End::kStopped, {}};
    }
    if (first == 0) {
      arrive(frame, block, from, joined);
      spend(frame, frame.code->blocks[block]);
    }
    std::optional<LongJump> back;
    try {
      Jump jump = run_block(frame, block, first);
      if (jump.done) return std::move(jump.outcome);
      from = block, block = jump.to, joined = jump.joined, first = 0;
    } catch (const LongJump& one) {
      if (one.frame != &frame) throw;
      back = one;
    }
    if (!back) continue;
    const Resumed resumed = resume(frame, *back);
    block = resumed.block, first = resumed.instruction;
  }
}

Machine::Jump Machine::run_block(Frame& frame, std::uint32_t block, std::size_t first) {
  const Block& here = frame.code->blocks[block];
  for (std::size_t i = first; i + 1 < here.instructions.size(); ++i) execute(frame, here.instructions[i]);
  const Instruction& last = here.instructions.back();
  Jump jump;
  if (last.opcode == llvm::Instruction::Ret) {
    jump.done = true, jump.outcome = returned(frame, last);
    return jump;
  }
  if (last.opcode != llvm::Instruction::Invoke) return branch(frame, last, block);
  const bool made = first == here.instructions.size();  // it was the setjmp
  jump.to = made ? last.targets[0] : run_invoke(frame, last);
  return jump;
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
    if (!function->isDeclaration()) (void)enter(*function, {}, {}, 0);
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
      (void)enter(*function, arguments, {}, 0);
    } else if (const auto model = model_for(models_, name)) {
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
    const std::vector<Value> result = enter(*start, arguments, {}, 0);
    run_exits();
    fortran_end(*this);
    return result.empty() || !result[0].known() ? 0 : static_cast<int>(result[0].bits & 0xff);
  } catch (const Left& left) {
    fortran_end(*this);
    return left.code;
  } catch (const Exhausted&) {
    complete = false;
    return 0;
  }
}

}  // namespace trikal::predict
