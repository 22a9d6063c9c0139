// The environment: a table of texts in the program's memory, where environ shows it as well.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cerrno>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// Where the pointer to the table is: a variable of the program's, where it uses that.
Word pointer_address(Machine& machine, const Call& call) {
  const llvm::Module& module = *call.at.ir->getModule();
  for (const char* name : {"environ", "__environ", "_environ"})
    if (const llvm::GlobalVariable* variable = module.getNamedGlobal(name))
      if (variable->isDeclaration()) return machine.decoder.address_of(*variable);
  (void)environment_table(machine);
  return kEnvironment;
}

struct Entries {
  std::vector<Word> texts;
  bool known = true;
  std::optional<std::size_t> found;  // the one that was looked for
  std::string text;                  // of it
};

Entries entries_for(Machine& machine, Word table, std::string_view name) {
  constexpr std::size_t kMost = 1 << 14;
  Entries entries;
  while (table != 0 && entries.texts.size() < kMost) {
    const Value at = machine.memory.load(table + 8 * entries.texts.size(), 8);
    std::string text;
    entries.known = at.known() && (at.bits == 0 || machine.memory.text(at.bits, text));
    if (!entries.known || at.bits == 0) return entries;
    if (!entries.found && text.starts_with(name) && text.substr(name.size()).starts_with('='))
      entries.found = entries.texts.size(), entries.text = text;
    entries.texts.push_back(at.bits);
  }
  return entries;
}

Entries entries_for(Machine& machine, const Call& call, std::string_view name) {
  const Value table = machine.memory.load(pointer_address(machine, call), 8);
  if (!table.known()) return {{}, false, {}, {}};
  return entries_for(machine, table.bits, name);
}

// A table of its own for each change that adds something; what is there stays where it is.
void keep(Machine& machine, const Call& call, const std::vector<Word>& texts) {
  const Word table = machine.world.take(8 * (texts.size() + 1));
  for (std::size_t i = 0; i < texts.size(); ++i) machine.memory.store(table + 8 * i, 8, Value::of(texts[i]));
  machine.memory.store(table + 8 * texts.size(), 8, Value::of(Word{0}));
  const Word address = pointer_address(machine, call);
  machine.memory.store(address, 8, Value::of(table));
  machine.memory.store(kEnvironment, 8, Value::of(table));
}

void forget_environment(Machine& machine, const Call& call) {
  const Cause cause = machine.unknown(call.at, "a variable of the environment").cause;
  machine.memory.forget(pointer_address(machine, call), 8, cause);
  machine.memory.forget(kEnvironment, 8, cause);
}

void set_variable(Machine& machine, Call& call, const std::string& name, Word text, bool overwrite) {
  Entries entries = entries_for(machine, call, name);
  if (!entries.known) return forget_environment(machine, call);
  if (entries.found && !overwrite) return;
  if (entries.found) entries.texts[*entries.found] = text;
  else entries.texts.push_back(text);
  keep(machine, call, entries.texts);
}

void getenv_model(Machine& machine, Call& call) {
  std::string name;
  const bool told = text_argument(machine, call, 0, name);
  const Entries entries = told ? entries_for(machine, call, name) : Entries{};
  if (!told || !entries.known) return call.returns(machine.unknown(call.at, "a variable of the environment"));
  without_pattern(machine, call, digest(entries.text));
  if (entries.found) follows(machine, call, entries.texts[*entries.found] + name.size() + 1);
}

void setenv_model(Machine& machine, Call& call) {
  std::string name, value;
  if (call.argument(0).known() && call.argument(0).bits == 0) return fail(machine, call, EINVAL);
  if (!text_argument(machine, call, 0, name) || !call.argument(2).known()) return forget_environment(machine, call);
  if (name.empty() || name.find('=') != std::string::npos) return fail(machine, call, EINVAL);
  const bool known = text_argument(machine, call, 1, value);
  const std::string text = name + "=" + value;
  constexpr Word kAssumed = 64;
  const Word at = machine.world.take(text.size() + (known ? 1 : kAssumed));
  machine.memory.write(at, text.c_str(), text.size() + 1);
  if (!known)
    machine.memory.forget(at + text.size(), kAssumed, machine.unknown(call.at, "a variable of the environment").cause);
  without_pattern(machine, call, digest(text));
  set_variable(machine, call, name, at, lowest(call.argument(2).bits, 32) != 0);
}

void remove_variable(Machine& machine, Call& call, const std::string& name) {
  Entries entries = entries_for(machine, call, name);
  if (!entries.known) return forget_environment(machine, call);
  if (!entries.found) return;
  std::vector<Word> left;
  for (const Word at : entries.texts) {
    std::string text;
    if (!machine.memory.text(at, text) || !text.starts_with(name + "=")) left.push_back(at);
  }
  keep(machine, call, left);
}

void unsetenv_model(Machine& machine, Call& call) {
  std::string name;
  if (!text_argument(machine, call, 0, name)) return forget_environment(machine, call);
  if (name.empty() || name.find('=') != std::string::npos) return fail(machine, call, EINVAL);
  remove_variable(machine, call, name);
}

// The text itself becomes part of the environment, and may be changed there.
void putenv_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return forget_environment(machine, call);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return remove_variable(machine, call, text);
  set_variable(machine, call, text.substr(0, equals), call.argument(0).bits, true);
}

void clearenv_model(Machine& machine, Call& call) {
  machine.memory.store(pointer_address(machine, call), 8, Value::of(Word{0}));
  machine.memory.store(kEnvironment, 8, Value::of(Word{0}));
}

constexpr NamedModel kEnvironmentModels[] = {
    {"getenv", getenv_model},     {"secure_getenv", getenv_model}, {"__secure_getenv", getenv_model},
    {"setenv", setenv_model},     {"unsetenv", unsetenv_model},    {"putenv", putenv_model},
    {"clearenv", clearenv_model},
};

}  // namespace

Word environment_table(Machine& machine) {
  constexpr Word kMade = kEnvironment + 8;
  if (machine.memory.load(kMade, 1).bits != 0) return machine.memory.load(kEnvironment, 8).bits;
  const std::vector<std::string>& all = machine.setting.environment;
  const Word table = machine.world.take(8 * (all.size() + 1));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Word text = machine.world.take(all[i].size() + 1);
    machine.memory.write(text, all[i].c_str(), all[i].size() + 1);
    machine.memory.store(table + 8 * i, 8, Value::of(text));
  }
  machine.memory.store(kEnvironment, 8, Value::of(table));
  machine.memory.store(kMade, 1, Value::of(Word{1}));
  return table;
}

std::optional<std::string> variable_of(Machine& machine, const Call& call, std::string_view name) {
  const Entries entries = entries_for(machine, call, name);
  if (!entries.known || !entries.found) return std::nullopt;
  return entries.text.substr(name.size() + 1);
}

std::span<const NamedModel> environment_models() { return kEnvironmentModels; }

}  // namespace trikal::predict
