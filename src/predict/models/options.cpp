// getopt and getopt_long, by their manual: options in any order, arguments that are none behind them.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

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

// What is kept from call to call: the position in a word, and the words that are no options and were passed over.
constexpr Word kInside = (Word{1} << 47) + 128, kFirstPassed = kInside + 8, kLastPassed = kInside + 16,
               kStarted = kInside + 24, kIndex = kInside + 32;

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

// One run over the words.
class Options {
 public:
  Options(Machine& machine, Call& call, const std::string& characters, Words& words, bool with_long, bool single_dash)
      : machine_(machine),
        call_(call),
        variables_(machine, call),
        characters_(characters),
        words_(words),
        with_long_(with_long),
        single_dash_(single_dash) {
    if (!characters_.empty() && (characters_[0] == '+' || characters_[0] == '-'))
      order_ = characters_[0], characters_.erase(0, 1);
    at_ = static_cast<std::size_t>(std::max<std::int64_t>(0, variables_.number("optind", kept(kIndex))));
    first_ = static_cast<std::size_t>(kept(kFirstPassed)), last_ = static_cast<std::size_t>(kept(kLastPassed));
    inside_ = static_cast<std::size_t>(kept(kInside));
    if (at_ == 0 || kept(kStarted) == 0) {
      at_ = std::max<std::size_t>(1, at_);
      first_ = last_ = at_, inside_ = 0;
    }
  }

  void next() {
    const Value option = found();
    variables_.set("optind", at_, 4);
    keep(kIndex, at_), keep(kInside, inside_), keep(kFirstPassed, first_), keep(kLastPassed, last_), keep(kStarted, 1);
    machine_.wrote_text(call_, at_ << 16 | inside_, 0);  // each call is about another word
    call_.returns(option);
  }

 private:
  [[nodiscard]] std::int64_t kept(Word address) const {
    return static_cast<std::int64_t>(machine_.memory.load(address, 8).bits);
  }
  void keep(Word address, std::size_t value) { machine_.memory.store(address, 8, Value::of(Word{value})); }
  [[nodiscard]] bool is_option(std::size_t i) const { return words_.text[i].size() > 1 && words_.text[i][0] == '-'; }
  [[nodiscard]] char when_missing() const { return characters_.starts_with(':') ? ':' : '?'; }
  static Value character(char one) { return Value::of(Word{static_cast<unsigned char>(one)}); }
  static Value none() { return Value::of(lowest(~Word{0}, 32)); }

  // Words that were passed over come behind the options that were found since.
  void exchange() {
    const auto rotate = [this](auto& list) {
      const auto begin = list.begin();
      std::rotate(begin + static_cast<std::ptrdiff_t>(first_), begin + static_cast<std::ptrdiff_t>(last_),
                  begin + static_cast<std::ptrdiff_t>(at_));
    };
    rotate(words_.text), rotate(words_.address);
    for (std::size_t i = first_; i < at_; ++i)
      machine_.memory.store(call_.argument(1).bits + 8 * i, 8, Value::of(words_.address[i]));
    first_ += at_ - last_, last_ = at_;
  }
  void pass_over() {
    first_ = std::min(first_, at_), last_ = std::min(last_, at_);
    if (order_ != 0) return;
    if (first_ != last_ && last_ != at_) exchange();
    else if (last_ != at_) first_ = at_;
    while (at_ < words_.text.size() && !is_option(at_)) ++at_;
    last_ = at_;
  }

  Value found() {
    variables_.set("optarg", 0, 8);
    if (inside_ == 0) {
      pass_over();
      const std::size_t count = words_.text.size();
      if (at_ < count && words_.text[at_] == "--") {
        ++at_;
        if (first_ != last_ && last_ != at_) exchange();
        else if (first_ == last_) first_ = at_;
        last_ = at_ = count;
      }
      if (at_ >= count) {
        if (first_ != last_) at_ = first_;
        return none();
      }
      if (!is_option(at_)) {
        if (order_ != '-') return none();
        variables_.set("optarg", words_.address[at_++], 8);
        return Value::of(Word{1});
      }
      if (with_long_ && words_.text[at_].starts_with("--")) return long_option(2, false);
      // One dash is enough, unless that is a known option character.
      if (single_dash_ && (words_.text[at_].size() > 2 || characters_.find(words_.text[at_][1]) == std::string::npos)) {
        const bool known_character = characters_.find(words_.text[at_][1]) != std::string::npos;
        if (const Value option = long_option(1, known_character); !known_character || inside_ == 0) return option;
      }
      inside_ = 1;
    }
    return short_option();
  }

  Value short_option() {
    const std::string& word = words_.text[at_];
    const char one = word[inside_++];
    const std::size_t known = one == ':' || one == ';' ? std::string::npos : characters_.find(one);
    const bool last = inside_ >= word.size();
    const std::size_t inside = inside_;
    const std::size_t here = at_;
    if (last) ++at_, inside_ = 0;
    if (known == std::string::npos) return variables_.set("optopt", static_cast<unsigned char>(one), 4), character('?');
    if (characters_.compare(known + 1, 1, ":") != 0) return character(one);
    const bool optional = characters_.compare(known + 1, 2, "::") == 0;
    if (!last) {
      variables_.set("optarg", words_.address[here] + inside, 8);
      ++at_, inside_ = 0;
    } else if (!optional) {
      if (at_ >= words_.text.size())
        return variables_.set("optopt", static_cast<unsigned char>(one), 4), character(when_missing());
      variables_.set("optarg", words_.address[at_++], 8);
    }
    return character(one);
  }

  // A name may be cut short while it stands for one option alone.
  Value long_option(std::size_t dashes, bool may_be_short) {
    const std::string word = words_.text[at_].substr(dashes);
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::vector<Long> all = long_options(machine_, call_.argument(3).bits);
    std::size_t found = all.size(), alike = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].name.starts_with(name)) continue;
      if (all[i].name == name) {
        found = i, alike = 1;
        break;
      }
      const bool same = found < all.size() && all[i].flag == all[found].flag && all[i].value == all[found].value &&
                        all[i].has_argument == all[found].has_argument;
      if (found == all.size()) found = i;
      alike += same ? 0 : 1;
    }
    if (alike != 1) {
      if (may_be_short) return inside_ = 1, none();
      ++at_;
      variables_.set("optopt", 0, 4);
      return character('?');
    }
    const Long& one = all[found];
    const std::size_t here = at_++;
    if (equals != std::string::npos) {
      if (one.has_argument == 0) return variables_.set("optopt", one.value, 4), character('?');
      variables_.set("optarg", words_.address[here] + dashes + equals + 1, 8);
    } else if (one.has_argument == 1) {
      if (at_ >= words_.text.size()) return variables_.set("optopt", one.value, 4), character(when_missing());
      variables_.set("optarg", words_.address[at_++], 8);
    }
    if (const Value index = call_.argument(4); index.known() && index.bits != 0)
      machine_.memory.store(index.bits, 4, Value::of(Word{found}));
    if (one.flag != 0) machine_.memory.store(one.flag, 4, Value::of(one.value));
    return Value::of(one.flag != 0 ? 0 : lowest(one.value, 32));
  }

  Machine& machine_;
  Call& call_;
  Variables variables_;
  std::string characters_;
  Words& words_;
  bool with_long_, single_dash_;
  char order_ = 0;  // '+': options end at the first word that is none; '-': such words are options, too
  std::size_t at_ = 1, inside_ = 0, first_ = 1, last_ = 1;
};

void getopt_any(Machine& machine, Call& call, bool with_long, bool single_dash) {
  std::string characters;
  Words words;
  if (!words_of(machine, call, words) || !text_argument(machine, call, 2, characters))
    return call.returns(machine.unknown(call.at, "an option of the program"));
  Options(machine, call, characters, words, with_long, single_dash).next();
}
void getopt_model(Machine& machine, Call& call) { getopt_any(machine, call, false, false); }
void getopt_long_model(Machine& machine, Call& call) { getopt_any(machine, call, true, false); }
void getopt_long_only_model(Machine& machine, Call& call) { getopt_any(machine, call, true, true); }

// One word of a list with commas: its number among those that are known, and what stands behind its '='.
void getsubopt_model(Machine& machine, Call& call) {
  const Value where = call.argument(0), names = call.argument(1), value = call.argument(2);
  const Value from = where.known() ? machine.memory.load(where.bits, 8) : where;
  std::string text;
  if (!from.known() || !names.known() || !value.known() || !machine.memory.text(from.bits, text))
    return call.returns(machine.unknown(call.at, "an option of the program"));
  const std::size_t end = std::min(text.find(','), text.size()), equals = text.substr(0, end).find('=');
  const std::string word = text.substr(0, std::min(equals, end));
  machine.wrote_text(call, from.bits, 0);
  if (end < text.size()) machine.memory.store(from.bits + end, 1, Value::of(Word{0}));
  machine.memory.store(where.bits, 8, Value::of(from.bits + std::min(end + 1, text.size())));
  for (Word i = 0; i < 4096; ++i) {
    const Value name = machine.memory.load(names.bits + 8 * i, 8);
    std::string one;
    if (!name.known() || name.bits == 0) break;
    if (!machine.memory.text(name.bits, one) || one != word) continue;
    machine.memory.store(value.bits, 8, Value::of(equals == std::string::npos ? 0 : from.bits + equals + 1));
    return call.returns(Value::of(i));
  }
  machine.memory.store(value.bits, 8, from);
  call.returns(Value::of(lowest(~Word{0}, 32)));
}

constexpr NamedModel kOptionsModels[] = {
    {"getopt", getopt_model},           {"__posix_getopt", getopt_model},
    {"getopt_long", getopt_long_model}, {"getopt_long_only", getopt_long_only_model},
    {"getsubopt", getsubopt_model},
};

}  // namespace

std::span<const NamedModel> option_models() { return kOptionsModels; }

}  // namespace trikal::predict
