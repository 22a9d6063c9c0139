// Fortran's texts, and what a program asks about its surroundings.

#include <algorithm>

#include "predict/models/fortran.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kTick = 1000;  // nanoseconds that pass while the clock is read

// A new text behind a descriptor.
void make_text(Machine& machine, const Call& call, Value descriptor, const std::string& text, bool known) {
  constexpr Word kVersion = 20180515, kCharacter = 40, kAllocatable = 2;
  if (!descriptor.known()) return;
  const Word address = machine.world.take(std::max<std::size_t>(text.size(), 1)), at = descriptor.bits;
  machine.memory.store(at, 8, Value::of(address));
  machine.memory.store(at + 8, 8, Value::of(Word{text.size()}));
  machine.memory.store(at + 16, 4, Value::of(kVersion));
  machine.memory.store(at + 20, 1, Value::of(Word{0}));
  machine.memory.store(at + 21, 1, Value::of(kCharacter));
  machine.memory.store(at + 22, 1, Value::of(kAllocatable));
  machine.memory.store(at + 23, 1, Value::of(Word{0}));
  machine.wrote_text(call, address, text.size());
  if (known) machine.memory.write(address, text.data(), text.size());
  else machine.memory.forget(address, text.size(), machine.unknown(call.at, "a text").cause);
}

bool text_behind(Machine& machine, Value descriptor, std::string& out) {
  const auto array = array_at(machine, descriptor);
  return array && array->dimensions.empty() &&
         fortran_text(machine, Value::of(array->base), Value::of(array->element), out);
}

void give_text(Machine& machine, const Call& call, Value descriptor, const std::string& text) {
  if (const auto array = array_at(machine, descriptor)) put_text(machine, call, array->base, array->element, text);
}
void give_number(Machine& machine, Value descriptor, Value number) {
  if (const auto array = array_at(machine, descriptor))
    machine.memory.store(array->base, static_cast<unsigned>(std::min<Word>(array->element, 8)), number);
}

void compare_model(Machine& machine, Call& call) {
  std::string one, other;
  if (!fortran_text(machine, call.argument(0), call.argument(2), one) ||
      !fortran_text(machine, call.argument(1), call.argument(3), other))
    return call.returns(machine.unknown(call.at, "how two texts compare"));
  const std::size_t size = std::max(one.size(), other.size());
  one.resize(size, ' '), other.resize(size, ' ');
  const int order = one.compare(other);
  call.returns(Value::of(lowest(order < 0 ? ~Word{0} : order > 0 ? 1 : 0, 32)));
}

void trimmed_length_model(Machine& machine, Call& call) {
  std::string text;
  if (!fortran_text(machine, call.argument(0), call.argument(1), text))
    return call.returns(machine.unknown(call.at, "the length of a text"));
  call.returns(Value::of(Word{trimmed(text).size()}));
}

template <int What>  // 0: INDEX, 1: SCAN, 2: VERIFY
void find_model(Machine& machine, Call& call) {
  std::string text, part;
  if (!fortran_text(machine, call.argument(0), call.argument(1), text) ||
      !fortran_text(machine, call.argument(2), call.argument(3), part))
    return call.returns(machine.unknown(call.at, "where a text is found"));
  const bool back = (call.argument(4).bits & 1) != 0;
  std::size_t found = std::string::npos;
  if (What == 0) found = back ? text.rfind(part) : text.find(part);
  if (What == 1) found = back ? text.find_last_of(part) : text.find_first_of(part);
  if (What == 2) found = back ? text.find_last_not_of(part) : text.find_first_not_of(part);
  call.returns(Value::of(found == std::string::npos ? Word{0} : Word{found} + 1));
}

void trim_model(Machine& machine, Call& call) {
  std::string text;
  const bool told = text_behind(machine, call.argument(1), text);
  make_text(machine, call, call.argument(0), told ? trimmed(text) : std::string(8, '?'), told);
}
template <bool Left>
void adjust_model(Machine& machine, Call& call) {
  std::string text;
  const bool told = text_behind(machine, call.argument(1), text);
  const std::size_t size = text.size();
  if (told && Left) text.erase(0, std::min(size, text.find_first_not_of(' '))), text.resize(size, ' ');
  else if (told) text = trimmed(text), text.insert(0, size - text.size(), ' ');
  make_text(machine, call, call.argument(0), told ? text : std::string(8, '?'), told);
}
void repeat_model(Machine& machine, Call& call) {
  constexpr Word kMost = 1 << 16;
  std::string text, all;
  const bool told =
      text_behind(machine, call.argument(1), text) && call.argument(2).known() && call.argument(2).bits < kMost;
  for (Word i = 0; told && i < call.argument(2).bits; ++i) all += text;
  make_text(machine, call, call.argument(0), told ? all : std::string(8, '?'), told);
}

// --- Arguments and environment.
void count_model(Machine& machine, Call& call) { call.returns(Value::of(Word{machine.setting.arguments.size()} - 1)); }
void argument_model(Machine& machine, Call& call) {
  const Value number = call.argument(0);
  if (!number.known()) return call.returns(number);
  const auto index = static_cast<std::size_t>(with_sign(number.bits, 32));
  const bool there = index < machine.setting.arguments.size();
  const std::string text = there ? machine.setting.arguments[index] : "";
  give_text(machine, call, call.argument(1), text);
  give_number(machine, call.argument(2), Value::of(Word{text.size()}));
  call.returns(Value::of(Word{there ? 0U : 1U}));
}
void environment_model(Machine& machine, Call& call) {
  std::string name, value;
  bool there = false;
  if (!text_behind(machine, call.argument(0), name)) return call.returns(machine.unknown(call.at, "a variable's name"));
  for (const std::string& one : machine.setting.environment)
    if (one.starts_with(trimmed(name) + "=")) value = one.substr(trimmed(name).size() + 1), there = true;
  give_text(machine, call, call.argument(1), value);
  give_number(machine, call.argument(2), Value::of(Word{value.size()}));
  call.returns(Value::of(Word{there ? 0U : 1U}));
}
void getarg_model(Machine& machine, Call& call) {  // of GNU: getarg(index, text)
  const Value index = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 4) : call.argument(0);
  if (!index.known() || !call.argument(1).known() || !call.argument(2).known()) return;
  put_text(machine, call, call.argument(1).bits, call.argument(2).bits,
           index.bits < machine.setting.arguments.size() ? machine.setting.arguments[index.bits] : "");
}

// --- Time.
void cpu_time_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  machine.world.ticks += kTick;
  call.returns(Value::of(static_cast<double>(machine.world.ticks % 1'000'000'000'000) * 1e-9));
}
void clock_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  machine.world.ticks += kTick;
  call.returns(
      Value::of(call.argument(0).bits == 8 ? machine.world.ticks : lowest(machine.world.ticks / 1'000'000, 31)));
}
void clock_rate_model(Machine&, Call& call) {
  call.returns(Value::of(call.argument(0).bits == 8 ? Word{1'000'000'000} : Word{1000}));
}
void clock_most_model(Machine&, Call& call) {
  call.returns(Value::of(call.argument(0).bits == 8 ? lowest(~Word{0}, 63) : lowest(~Word{0}, 31)));
}
void date_model(Machine& machine, Call& call) {
  for (const std::size_t i : {0U, 2U, 4U})
    if (call.argument(i).known() && call.argument(i).bits != 0 && call.argument(i + 1).known())
      machine.memory.forget(call.argument(i).bits, call.argument(i + 1).bits,
                            machine.unknown(call.at, "the date").cause);
  if (const auto values = array_at(machine, call.argument(8)))
    machine.memory.forget(values->base, values->count() * values->element, machine.unknown(call.at, "the date").cause);
}
void random_model(Machine& machine, Call& call) {
  const auto array = array_at(machine, call.argument(0));
  if (!array) return;
  machine.memory.forget(array->base, array->count() * array->element,
                        machine.unknown(call.at, "a random number").cause);
}

// --- The end.
void stop_model(Machine& machine, Call& call) {
  machine.leave(call.argument(0).known() ? static_cast<int>(call.argument(0).bits & 0xff) : 1);
}
void stop_text_model(Machine& machine, Call& call) { machine.leave((call.argument(2).bits & 1) != 0 ? 1 : 0); }
void give_up_model(Machine& machine, Call&) { machine.leave(134); }
void exit_model(Machine& machine, Call& call) {  // of GNU: exit(status), by reference
  const Value code = call.argument(0).known() && call.argument(0).bits != 0
                         ? machine.memory.load(call.argument(0).bits, 4)
                         : call.argument(0);
  machine.leave(code.known() ? static_cast<int>(code.bits & 0xff) : 1);
}
void flush_model(Machine& machine, Call& call) {  // of GNU: flush(unit)
  if (!call.argument(0).known()) return;
  const Value number = machine.memory.load(call.argument(0).bits, 4);
  FortranUnit* unit = number.known() ? unit_numbered(machine, static_cast<int>(with_sign(number.bits, 32))) : nullptr;
  if (unit != nullptr && !unit->raw) unit_flush(machine, call, *unit);
}

constexpr NamedModel kFortranTextModels[] = {
    {"_FortranAProgramStart", succeeds},
    {"_FortranAProgramEndStatement", succeeds},
    {"_FortranAStopStatement", stop_model},
    {"_FortranAStopStatementText", stop_text_model},
    {"_FortranAExit", stop_model},
    {"_FortranAAbort", give_up_model},
    {"_FortranAReportFatalUserError", give_up_model},
    {"_FortranACharacterCompareScalar1", compare_model},
    {"_FortranALenTrim1", trimmed_length_model},
    {"_FortranAIndex1", find_model<0>},
    {"_FortranAScan1", find_model<1>},
    {"_FortranAVerify1", find_model<2>},
    {"_FortranATrim", trim_model},
    {"_FortranAAdjustl", adjust_model<true>},
    {"_FortranAAdjustr", adjust_model<false>},
    {"_FortranARepeat", repeat_model},
    {"_FortranAArgumentCount", count_model},
    {"_FortranAGetCommandArgument", argument_model},
    {"_FortranAGetEnvVariable", environment_model},
    {"_FortranACpuTime", cpu_time_model},
    {"_FortranASystemClockCount", clock_model},
    {"_FortranASystemClockCountRate", clock_rate_model},
    {"_FortranASystemClockCountMax", clock_most_model},
    {"_FortranADateAndTime", date_model},
    {"_FortranARandomNumber", random_model},
    {"_FortranARandomInit", succeeds},
    {"_FortranARandomSeedDefaultPut", succeeds},
    {"_FortranARandomSeedPut", succeeds},
    {"iargc_", count_model},
    {"getarg_", getarg_model},
    {"exit_", exit_model},
    {"flush_", flush_model},
};

}  // namespace

std::span<const NamedModel> fortran_text_models() { return kFortranTextModels; }

}  // namespace trikal::predict
