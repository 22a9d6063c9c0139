// getopt and getopt_long, by their manual: options in any order, arguments that are none behind them.

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// The variables of the interface, in the program's memory.
class Variables {
 public:
  Variables(Machine& machine, const Call& call) : machine_(machine), module_(*call.at.ir->getModule()) {}
  [[nodiscard]] std::int64_t number(const char* name, std::int64_t otherwise) {
    const llvm::GlobalVariable* variable = module_.getNamedGlobal(name);
    return variable == nullptr ? otherwise
                               : with_sign(machine_.memory.load(machine_.decoder.address_of(*variable), 4).bits, 32);
  }
  void set(const char* name, Word value, unsigned bytes) {
    if (const llvm::GlobalVariable* variable = module_.getNamedGlobal(name))
      machine_.memory.store(machine_.decoder.address_of(*variable), bytes, Value::of(value));
  }

 private:
  Machine& machine_;
  const llvm::Module& module_;
};

constexpr Word kState = (Word{1} << 47) + 128;  // the next word, and the place in it

struct Words {
  std::vector<std::string> text;
  std::vector<Word> address;
};

bool words_of(Machine& machine, const Call& call, Words& out) {
  if (!call.argument(0).known() || !call.argument(1).known()) return false;
  for (Word i = 0; i < call.argument(0).bits && i < 4096; ++i) {
    const Value address = machine.memory.load(call.argument(1).bits + 8 * i, 8);
    std::string text;
    if (!address.known() || !machine.memory.text(address.bits, text)) return false;
    out.text.push_back(std::move(text));
    out.address.push_back(address.bits);
  }
  return true;
}

// Words that are no options go behind the one that is next.
void bring_forward(Machine& machine, const Call& call, Words& words, std::size_t at) {
  std::size_t option = at;
  while (option < words.text.size() && (words.text[option].size() < 2 || words.text[option][0] != '-')) ++option;
  if (option >= words.text.size() || option == at) return;
  const std::size_t count = words.text[option] == "--" ? 1 : 1;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = option + k; i > at + k; --i)
      std::swap(words.text[i], words.text[i - 1]), std::swap(words.address[i], words.address[i - 1]);
  for (std::size_t i = 0; i < words.address.size(); ++i)
    machine.memory.store(call.argument(1).bits + 8 * i, 8, Value::of(words.address[i]));
}

struct Long {
  std::string name;
  std::int64_t has_argument = 0;
  Word flag = 0, value = 0;
};

std::vector<Long> long_options(Machine& machine, Word table) {
  std::vector<Long> all;
  for (Word at = table; all.size() < 256; at += 32) {
    Long one;
    const Value name = machine.memory.load(at, 8);
    if (!name.known() || name.bits == 0 || !machine.memory.text(name.bits, one.name)) break;
    one.has_argument = with_sign(machine.memory.load(at + 8, 4).bits, 32);
    one.flag = machine.memory.load(at + 16, 8).bits;
    one.value = machine.memory.load(at + 24, 4).bits;
    all.push_back(std::move(one));
  }
  return all;
}

void next_long(Machine& machine, Call& call, Variables& variables, const Words& words, std::size_t at) {
  const std::string word = words.text[at].substr(2);
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  variables.set("optind", at + 1, 4);
  for (const Long& one : long_options(machine, call.argument(3).bits)) {
    if (one.name != name) continue;
    variables.set("optarg", 0, 8);
    if (equals != std::string::npos) {
      variables.set("optarg", words.address[at] + 2 + equals + 1, 8);
    } else if (one.has_argument == 1 && at + 1 < words.text.size()) {
      variables.set("optarg", words.address[at + 1], 8);
      variables.set("optind", at + 2, 4);
    }
    if (one.flag != 0) machine.memory.store(one.flag, 4, Value::of(one.value));
    return call.returns(Value::of(one.flag != 0 ? 0 : lowest(one.value, 32)));
  }
  call.returns(Value::of(Word{'?'}));
}

void getopt_any(Machine& machine, Call& call, bool with_long) {
  std::string letters;
  Words words;
  Variables variables(machine, call);
  if (!words_of(machine, call, words) || !text_argument(machine, call, 2, letters))
    return call.returns(machine.unknown(call.at, "an option of the program"));
  auto at = static_cast<std::size_t>(std::max<std::int64_t>(
      1, variables.number("optind", static_cast<std::int64_t>(machine.memory.load(kState, 8).bits))));
  Word inside = machine.memory.load(kState + 8, 8).bits;
  if (inside == 0 && letters[0] != '+') bring_forward(machine, call, words, at);
  const auto store = [&](std::size_t next, Word place) {
    variables.set("optind", next, 4);
    machine.memory.store(kState, 8, Value::of(Word{next}));
    machine.memory.store(kState + 8, 8, Value::of(place));
  };
  const Value none = Value::of(lowest(~Word{0}, 32));
  if (at >= words.text.size() || words.text[at].size() < 2 || words.text[at][0] != '-') return call.returns(none);
  if (words.text[at] == "--") {
    store(at + 1, 0);
    return call.returns(none);
  }
  if (with_long && inside == 0 && words.text[at].starts_with("--"))
    return next_long(machine, call, variables, words, at);
  if (inside == 0) inside = 1;
  const char letter = words.text[at][inside];
  const std::size_t known = letter == ':' ? std::string::npos : letters.find(letter);
  const bool last = inside + 1 >= words.text[at].size();
  if (known == std::string::npos) {
    store(last ? at + 1 : at, last ? 0 : inside + 1);
    return call.returns(Value::of(Word{'?'}));
  }
  if (known + 1 < letters.size() && letters[known + 1] == ':') {
    if (!last) variables.set("optarg", words.address[at] + inside + 1, 8);
    else if (at + 1 < words.text.size()) variables.set("optarg", words.address[at + 1], 8);
    store(last ? at + 2 : at + 1, 0);
  } else {
    store(last ? at + 1 : at, last ? 0 : inside + 1);
  }
  call.returns(Value::of(Word{static_cast<unsigned char>(letter)}));
}
void getopt_model(Machine& machine, Call& call) { getopt_any(machine, call, false); }
void getopt_long_model(Machine& machine, Call& call) { getopt_any(machine, call, true); }

constexpr NamedModel kModels[] = {{"getopt", getopt_model}, {"getopt_long", getopt_long_model}};

}  // namespace

std::span<const NamedModel> option_models() { return kModels; }

}  // namespace trikal::predict
