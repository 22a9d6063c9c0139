// READ(NML=): groups of names with values, read from small files that lie there before the run.

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "predict/models/fortran.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr int kBadName = 5010;

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool between(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Variable {
  std::string name;
  Value descriptor;
};

// The group as flang lays it out: its name, how many, and name and descriptor of each.
std::vector<Variable> variables_of(Machine& machine, Value group, std::string& name) {
  std::vector<Variable> all;
  const Value title = machine.memory.load(group.bits, 8), count = machine.memory.load(group.bits + 8, 8),
              items = machine.memory.load(group.bits + 16, 8);
  if (!title.known() || !count.known() || !items.known() || count.bits > 1000) return all;
  if (!machine.memory.text(title.bits, name)) return all;
  for (Word i = 0; i < count.bits; ++i) {
    const Value text = machine.memory.load(items.bits + 16 * i, 8);
    Variable one;
    if (text.known() && machine.memory.text(text.bits, one.name)) one.name = lower_case(one.name);
    one.descriptor = machine.memory.load(items.bits + 16 * i + 8, 8);
    all.push_back(std::move(one));
  }
  return all;
}

// Everything between "&name" and its "/". False: it is not there, or not known.
bool read_group(Machine& machine, const Call& call, FortranStatement& statement, const std::string& name,
                std::string& body) {
  while (true) {
    int c = next_character(machine, call, statement);
    while (c >= 0 && c != '&' && c != '$') c = next_character(machine, call, statement);
    if (c < 0) {  // it looks once more before it believes that
      (void)next_character(machine, call, statement);
      return hit_end(machine, statement), false;
    }
    std::string word;
    for (c = next_character(machine, call, statement); c > 0 && part_of_name(static_cast<char>(c));
         c = next_character(machine, call, statement))
      word += static_cast<char>(c);
    if (lower_case(word) != lower_case(name)) continue;
    char quote = 0;
    bool comment = false;
    for (; c >= 0; c = next_character(machine, call, statement)) {
      const char here = static_cast<char>(c);
      if (here == '\n') comment = false;
      if (comment) continue;
      if (quote == 0 && here == '!') comment = true;
      else if (quote == 0 && (here == '/' || here == '&' || here == '$')) return true;
      else if (quote == 0 && (here == '\'' || here == '"')) quote = here;
      else if (here == quote) quote = 0;
      if (!comment) body += here;
    }
    return hit_end(machine, statement), false;
  }
}

class Assignments {
 public:
  Assignments(const std::string& body) : body_(body) {}

  struct One {
    std::string name, index;
    bool component = false;
    std::vector<std::optional<std::string>> values;  // nothing: left as it is
  };
  bool next(One& one) {
    one = {};
    while (at_ < body_.size() && (between(body_[at_]) || body_[at_] == ',')) ++at_;
    if (at_ >= body_.size() || !head(one)) return false;
    bool comma = true;
    while (true) {
      while (at_ < body_.size() && between(body_[at_])) ++at_;
      if (at_ >= body_.size() || begins_name()) return true;
      if (body_[at_] == ',') {
        if (comma) one.values.emplace_back();
        comma = true, ++at_;
        continue;
      }
      comma = false;
      value(one);
    }
  }

 private:
  bool head(One& one) {
    while (at_ < body_.size() && (part_of_name(body_[at_]) || body_[at_] == '%')) {
      one.component = one.component || body_[at_] == '%';
      one.name += body_[at_++];
    }
    one.name = lower_case(one.name);
    while (at_ < body_.size() && between(body_[at_])) ++at_;
    if (at_ < body_.size() && body_[at_] == '(') {
      const std::size_t end = body_.find(')', at_);
      if (end == std::string::npos) return false;
      one.index = body_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    }
    const std::size_t equals = body_.find('=', at_);
    if (one.name.empty() || equals == std::string::npos) return false;
    one.component = one.component || body_.substr(at_, equals - at_).find('%') != std::string::npos;
    at_ = equals + 1;
    return true;
  }
  [[nodiscard]] bool begins_name() const {
    std::size_t at = at_;
    if (std::isalpha(static_cast<unsigned char>(body_[at])) == 0) return false;
    while (at < body_.size() && (part_of_name(body_[at]) || body_[at] == '%')) ++at;
    while (at < body_.size() && between(body_[at])) ++at;
    if (at < body_.size() && body_[at] == '(') at = std::min(body_.size(), body_.find(')', at) + 1);
    while (at < body_.size() && between(body_[at])) ++at;
    return at < body_.size() && (body_[at] == '=' || body_[at] == '%');
  }
  void value(One& one) {
    std::string text;
    std::size_t repeats = 1;
    std::size_t digits = at_;
    while (digits < body_.size() && std::isdigit(static_cast<unsigned char>(body_[digits])) != 0) ++digits;
    if (digits > at_ && digits < body_.size() && body_[digits] == '*') {
      repeats = std::min<std::size_t>(std::strtoull(body_.c_str() + at_, nullptr, 10), 1 << 20);
      at_ = digits + 1;
    }
    if (at_ < body_.size() && (body_[at_] == '\'' || body_[at_] == '"')) {
      const char mark = body_[at_++];
      for (; at_ < body_.size(); ++at_) {
        if (body_[at_] == mark) {
          if (at_ + 1 >= body_.size() || body_[at_ + 1] != mark) break;
          ++at_;
        }
        if (body_[at_] != '\n') text += body_[at_];
      }
      ++at_;
    } else {
      while (at_ < body_.size() && !between(body_[at_]) && body_[at_] != ',') text += body_[at_++];
    }
    for (std::size_t i = 0; i < repeats; ++i) one.values.emplace_back(text);
  }

  const std::string& body_;
  std::size_t at_ = 0;
};

// The element that (2) or (2,3) stands for; nothing where it is more than that.
std::optional<Word> index_of(const FortranArray& array, const std::string& text) {
  if (text.empty()) return Word{0};
  Word index = 0, each = 1;
  std::size_t at = 0;
  for (const FortranArray::Dimension& one : array.dimensions) {
    char* end = nullptr;
    const long number = std::strtol(text.c_str() + at, &end, 10);
    if (end == text.c_str() + at) return std::nullopt;
    index += each * static_cast<Word>(number - one.lower);
    each *= static_cast<Word>(std::max<std::int64_t>(one.extent, 1));
    at = text.find(',', at);
    if (at == std::string::npos) break;
    ++at;
  }
  return index;
}

// False: a value that the variable cannot have.
bool assign(Machine& machine, const Call& call, const Variable& variable, const Assignments::One& one) {
  const auto array = array_at(machine, variable.descriptor);
  const auto first = array ? index_of(*array, one.index) : std::nullopt;
  const bool simple = first && !one.component && kind_of(array->type) != FortranKind::kOther &&
                      kind_of(array->type) != FortranKind::kComplex && array->element <= (1 << 20);
  if (!simple) {
    machine.note("what a namelist says of " + one.name + " is not understood");
    if (array)
      machine.memory.forget(array->base, array->count() * array->element,
                            machine.unknown(call.at, "a value of a namelist").cause);
    return true;
  }
  for (std::size_t i = 0; i < one.values.size() && *first + i < array->count(); ++i) {
    if (!one.values[i]) continue;
    FortranItem item;
    item.kind = kind_of(array->type), item.bytes = array->element, item.address = array->address(*first + i);
    if (!store_item(machine, call, item, *one.values[i])) return false;
  }
  return true;
}

}  // namespace

void get_namelist(Machine& machine, const Call& call, FortranStatement& statement, Value group) {
  if (!group.known()) return machine.note("a namelist is not known");
  std::string name, body;
  const std::vector<Variable> variables = variables_of(machine, group, name);
  FortranUnit* unit = statement.internal ? nullptr : unit_numbered(machine, statement.unit);
  const std::uint32_t file = unit == nullptr ? kNoFile : file_of(machine, *unit);
  std::string one;
  if (file != kNoFile && machine.world.files[file].size > 0 && !bytes_of_file(machine.world.files[file], 0, 1, one)) {
    unit->guessed = true;
    for (const Variable& variable : variables)
      if (const auto array = array_at(machine, variable.descriptor))
        machine.memory.forget(array->base, array->count() * array->element,
                              machine.unknown(call.at, "a value of a namelist").cause);
    return;
  }
  statement.made_an_end = true;  // unlike other reading, this needs the end of its last line
  if (!read_group(machine, call, statement, name, body)) return;
  if (!statement.internal) skip_line(machine, call, statement);
  statement.line_ended = true;
  Assignments all(body);
  for (Assignments::One next; all.next(next);) {
    const std::string wanted = next.name.substr(0, next.name.find('%'));
    const auto found = std::ranges::find(variables, wanted, &Variable::name);
    if (found == variables.end() || !assign(machine, call, *found, next)) return fail_statement(statement, kBadName);
  }
}

}  // namespace trikal::predict
