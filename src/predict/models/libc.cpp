#include "predict/models/libc.hpp"

#include <algorithm>
#include <ctime>
#include <functional>

#include "predict/blocks/tree.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

Word digest(std::string_view text) { return std::hash<std::string_view>{}(text); }

Word lasting_text(Machine& machine, std::string_view text) {
  constexpr Word kCapacity = 256, kSlots = Word{1} << 20;
  const Word longer = text.size() / kCapacity, capacity = (longer + 1) * kCapacity, region = kTexts + (longer << 36);
  for (Word location = digest(text) % kSlots;; ++location) {
    const Word address = region + location * capacity;
    std::string there;
    if (!machine.memory.text(address, there)) continue;
    if (there == text) return address;
    if (!there.empty()) continue;
    machine.memory.write(address, text.data(), text.size());
    machine.memory.store(address + text.size(), 1, Value::of(Word{0}));
    return address;
  }
}

void follows(Machine&, Call& call, Word bits) {
  Value value = Value::of(bits);
  for (const Value& argument : call.arguments) value.data = value.data || argument.data;
  call.returns(value);
}

void end_program(Machine& machine, const Call& call, int code, bool with_exits) {
  if (code != 0) machine.note("the program ends with status " + std::to_string(code) + " at " + machine.where(call));
  if (with_exits) machine.run_exits();
  machine.leave(code);
}

bool libc_external(Machine& machine, std::string_view name, Word address) {
  const auto set = [&](Word value, unsigned bytes = 8) { machine.memory.store(address, bytes, Value::of(value)); };
  const std::string program = machine.setting.arguments.empty() ? "" : machine.setting.arguments[0];
  const auto is = [name](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is({"environ", "__environ", "_environ"})) return set(environment_table(machine)), true;
  if (is({"program_invocation_name", "__progname_full"})) return set(lasting_text(machine, program)), true;
  if (is({"program_invocation_short_name", "__progname"}))
    return set(lasting_text(machine, program.substr(program.rfind('/') + 1))), true;
  if (!is({"timezone", "__timezone", "daylight", "__daylight", "tzname", "__tzname"})) return false;
  tzset();
  if (name.ends_with("timezone")) set(static_cast<Word>(::timezone));
  else if (name.ends_with("daylight")) set(static_cast<Word>(::daylight), 4);
  else
    for (Word i = 0; i < 2; ++i)
      machine.memory.store(address + 8 * i, 8, Value::of(lasting_text(machine, ::tzname[i])));
  return true;
}

}  // namespace trikal::predict
