// Random numbers of libc. They are not random: from a seed that is known the numbers are known, as this machine's own libc
// would give them. A seed from the clock makes every number unknown.

#include <llvm/IR/Instructions.h>

#include <cstdlib>

#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr int kDeepest = 8;

bool tells_time(const llvm::Value& value, int depth = 0) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (callee == nullptr) return false;
    for (const std::string_view name : {"time", "clock", "getpid", "getppid", "times"})
      if (callee->getName() == llvm::StringRef(name.data(), name.size())) return true;
    return false;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth >= kDeepest) return false;
  for (const llvm::Use& operand : instruction->operands())
    if (tells_time(*operand.get(), depth + 1)) return true;
  return false;
}

// Whether the seed is a time by its value: fields of a timeval come through memory.
bool is_time(const Machine& machine, Word seed) {
  constexpr Word kSecond = 1'000'000'000, kNear = 1'000'000;
  const Word now = machine.world.ticks / kSecond;
  return seed + kNear > now && seed < now + kNear;
}

void seed_model(Machine& machine, Call& call) {
  const Value seed = call.argument(0);
  const auto* ir = llvm::cast<llvm::CallBase>(call.at.ir);
  const bool known = seed.known() && !tells_time(*ir->getArgOperand(0)) && !is_time(machine, lowest(seed.bits, 32));
  if (call.name == "srand48") machine.world.random.seed_48(seed.bits, known);
  else machine.world.random.seed(static_cast<std::uint32_t>(seed.bits), known);
}

void give(Machine& machine, Call& call, std::optional<Word> number) {
  Value value = number ? Value::of(*number) : machine.unknown(call.at, "a random number");
  value.data = true;  // without a pattern, whatever it looks like
  call.returns(value);
}

void random_model(Machine& machine, Call& call) { give(machine, call, machine.world.random.next()); }

void random_48_model(Machine& machine, Call& call) {
  const std::optional<Word> bits = machine.world.random.next_48();
  if (!bits) return give(machine, call, bits);
  if (call.name == "drand48") give(machine, call, std::bit_cast<Word>(static_cast<double>(*bits) / 0x1p48));
  else if (call.name == "lrand48") give(machine, call, *bits >> 17);
  else give(machine, call, static_cast<Word>(with_sign(*bits >> 16, 32)));
}

void rand_r_model(Machine& machine, Call& call) {
  const Value where = call.argument(0), state = where.known() ? machine.memory.load(where.bits, 4) : where;
  if (!state.known() || is_time(machine, state.bits)) return give(machine, call, std::nullopt);
  auto seed = static_cast<unsigned>(state.bits);
  const int number = rand_r(&seed);
  machine.memory.store(where.bits, 4, Value::of(Word{seed}));
  give(machine, call, static_cast<Word>(number));
}

constexpr NamedModel kRandomModels[] = {
    {"rand", random_model},       {"random", random_model},     {"srand", seed_model},
    {"srandom", seed_model},      {"srand48", seed_model},      {"drand48", random_48_model},
    {"lrand48", random_48_model}, {"mrand48", random_48_model}, {"rand_r", rand_r_model},
};

}  // namespace

std::span<const NamedModel> random_models() { return kRandomModels; }

}  // namespace trikal::predict
