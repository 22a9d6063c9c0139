// std::string, as far as libstdc++ does not do it in its headers: {pointer, size, 16 bytes of its own or the capacity}.

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

bool read_string(Machine& machine, Value object, std::string& out) {
  if (!object.known()) return false;
  const Value at = machine.memory.load(object.bits, 8), size = machine.memory.load(object.bits + 8, 8);
  if (!at.known() || !size.known() || size.bits > 1 << 20) return false;
  out.resize(size.bits);
  return machine.memory.read(at.bits, out.data(), size.bits);
}

void write_string(Machine& machine, const Call& call, Value object, const std::string& text, bool known) {
  constexpr Word kOwn = 16;
  if (!object.known()) return;
  Value at = machine.memory.load(object.bits, 8);
  const bool own = at.known() && at.bits == object.bits + kOwn;
  const Value capacity = own ? Value::of(Word{15}) : machine.memory.load(object.bits + kOwn, 8);
  if (!at.known() || !capacity.known() || text.size() > capacity.bits) {
    const Word larger = std::max<Word>(2 * text.size(), 30);
    at = Value::of(machine.world.take(larger + 1));
    machine.memory.store(object.bits, 8, at);
    machine.memory.store(object.bits + kOwn, 8, Value::of(larger));
  }
  if (known) machine.wrote_text(call, at.bits, text.size());
  if (known) machine.memory.write(at.bits, text.c_str(), text.size() + 1);
  else machine.memory.forget(at.bits, text.size() + 1, machine.unknown(call.at, "a text that was read").cause);
  machine.memory.store(object.bits + 8, 8, Value::of(Word{text.size()}));
}

namespace {

// The characters of argument `first`, as many as the next one says.
bool piece(Machine& machine, const Call& call, std::size_t first, std::string& out) {
  const Value at = call.argument(first), size = call.argument(first + 1);
  if (!at.known() || !size.known() || size.bits > 1 << 20) return false;
  out.resize(size.bits);
  return machine.memory.read(at.bits, out.data(), size.bits);
}

void lost(Machine& machine, Call& call) {
  machine.forget_behind(call, call.argument(0), "a std::string that is not known");
  call.returns(call.argument(0));
}

void append_model(Machine& machine, Call& call) {
  std::string text, more;
  if (!read_string(machine, call.argument(0), text) || !piece(machine, call, 1, more)) return lost(machine, call);
  write_string(machine, call, call.argument(0), text + more, true);
  call.returns(call.argument(0));
}

void replace_model(Machine& machine, Call& call) {  // this, position, length, characters, their number
  std::string text, with;
  const Value location = call.argument(1), length = call.argument(2);
  const bool told = read_string(machine, call.argument(0), text) && piece(machine, call, 3, with) && location.known() &&
                    length.known();
  if (!told || location.bits > text.size()) return lost(machine, call);
  write_string(machine, call, call.argument(0), text.replace(location.bits, length.bits, with), true);
  call.returns(call.argument(0));
}

void fill_model(Machine& machine, Call& call) {  // this, position, length, number, character
  std::string text;
  const Value location = call.argument(1), length = call.argument(2), number = call.argument(3),
              character = call.argument(4);
  const bool told = read_string(machine, call.argument(0), text) && location.known() && length.known() &&
                    number.known() && character.known();
  if (!told || location.bits > text.size() || number.bits > 1 << 20) return lost(machine, call);
  write_string(machine, call, call.argument(0),
               text.replace(location.bits, length.bits, number.bits, static_cast<char>(character.bits)), true);
  call.returns(call.argument(0));
}

void assign_model(Machine& machine, Call& call) {
  std::string text;
  if (!read_string(machine, call.argument(1), text)) return lost(machine, call);
  write_string(machine, call, call.argument(0), text, true);
}

void create_model(Machine& machine, Call& call) {  // this, the capacity asked for, the one there was
  const Value asked = call.argument(1).known() ? machine.memory.load(call.argument(1).bits, 8) : call.argument(1);
  call.returns(Value::of(machine.world.take(asked.known() ? asked.bits + 1 : 4096)));
}

// Space is made where text is written; what it held stays.
void reserve_model(Machine&, Call&) {}

// Makes space for `number` characters instead of others; what is given is copied, else they are written by the caller.
void mutate_model(Machine& machine, Call& call) {  // this, position, length, characters, their number
  std::string text, with;
  const Value location = call.argument(1), length = call.argument(2), number = call.argument(4);
  const bool given = call.argument(3).known() && call.argument(3).bits != 0;
  const bool told = read_string(machine, call.argument(0), text) && location.known() && length.known() &&
                    number.known() && number.bits <= 1 << 20 && (!given || piece(machine, call, 3, with));
  if (!told || location.bits > text.size()) return lost(machine, call);
  const Word size = text.size();  // the caller sets the new one
  with.resize(number.bits);
  write_string(machine, call, call.argument(0), text.replace(location.bits, length.bits, with), true);
  machine.memory.store(call.argument(0).bits + 8, 8, Value::of(size));
}

void erase_model(Machine& machine, Call& call) {
  std::string text;
  const Value position = call.argument(1), length = call.argument(2);
  if (!read_string(machine, call.argument(0), text) || !position.known() || !length.known() ||
      position.bits > text.size())
    return lost(machine, call);
  write_string(machine, call, call.argument(0), text.erase(position.bits, length.bits), true);
}

void resize_model(Machine& machine, Call& call) {
  std::string text;
  const Value size = call.argument(1), character = call.argument(2);
  if (!read_string(machine, call.argument(0), text) || !size.known() || size.bits > 1 << 24) return lost(machine, call);
  text.resize(size.bits, static_cast<char>(character.bits));
  write_string(machine, call, call.argument(0), text, true);
}

// Made of one character many times; it points into itself already.
void construct_model(Machine& machine, Call& call) {
  const Value number = call.argument(1), character = call.argument(2);
  if (!number.known() || !character.known() || number.bits > 1 << 24) return lost(machine, call);
  write_string(machine, call, call.argument(0), std::string(number.bits, static_cast<char>(character.bits)), true);
}

void swap_model(Machine& machine, Call& call) {
  std::string one, other;
  if (!read_string(machine, call.argument(0), one) || !read_string(machine, call.argument(1), other)) {
    lost(machine, call);
    return machine.forget_behind(call, call.argument(1), "a std::string that is not known");
  }
  write_string(machine, call, call.argument(0), other, true);
  write_string(machine, call, call.argument(1), one, true);
}

using Find = std::size_t (*)(const std::string& text, const std::string& wanted, std::size_t index);
template <Find Function>
void find_model(Machine& machine, Call& call) {  // this, characters, position, their number
  std::string text, wanted;
  const Value at = call.argument(1), index = call.argument(2), number = call.argument(3);
  const bool told = read_string(machine, call.argument(0), text) && at.known() && index.known() && number.known() &&
                    number.bits <= 1 << 20;
  wanted.resize(told ? number.bits : 0);
  if (!told || !machine.memory.read(at.bits, wanted.data(), wanted.size()))
    return call.returns(machine.unknown(call.at, "a position in a std::string"));
  call.returns(Value::of(Word{Function(text, wanted, index.bits)}));
}
template <Find Function>
void find_one_model(Machine& machine, Call& call) {  // this, a character, position
  std::string text;
  if (!read_string(machine, call.argument(0), text) || !call.argument(1).known() || !call.argument(2).known())
    return call.returns(machine.unknown(call.at, "a position in a std::string"));
  call.returns(
      Value::of(Word{Function(text, std::string(1, static_cast<char>(call.argument(1).bits)), call.argument(2).bits)}));
}

// (this, text) or (this, position, length, text)
void compare_model(Machine& machine, Call& call) {
  std::string text, other;
  const bool part = call.arguments.size() > 2;
  const Value location = call.argument(1), length = call.argument(2);
  const bool string = call.name.ends_with("RKS4_");
  const std::size_t at = part ? 3 : 1;
  const bool told =
      read_string(machine, call.argument(0), text) &&
      (string ? read_string(machine, call.argument(at), other) : text_argument(machine, call, at, other)) &&
      (!part || (location.known() && length.known() && location.bits <= text.size()));
  if (!told) return call.returns(machine.unknown(call.at, "how two texts compare"));
  const int order = part ? text.compare(location.bits, length.bits, other) : text.compare(other);
  call.returns(Value::of(lowest(static_cast<Word>(static_cast<std::int64_t>(order)), 32)));
}

constexpr Find kFind = [](const std::string& t, const std::string& w, std::size_t p) { return t.find(w, p); };
constexpr Find kBackwards = [](const std::string& t, const std::string& w, std::size_t p) { return t.rfind(w, p); };
constexpr Find kFirstOf = [](const std::string& t, const std::string& w, std::size_t p) {
  return t.find_first_of(w, p);
};
constexpr Find kLastOf = [](const std::string& t, const std::string& w, std::size_t p) { return t.find_last_of(w, p); };
constexpr Find kFirstNotOf = [](const std::string& t, const std::string& w, std::size_t p) {
  return t.find_first_not_of(w, p);
};
constexpr Find kLastNotOf = [](const std::string& t, const std::string& w, std::size_t p) {
  return t.find_last_not_of(w, p);
};

#define TRIKAL_STRING "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
#define TRIKAL_CONST "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
constexpr NamedModel kCppTextModels[] = {
    {TRIKAL_STRING "9_M_appendEPKcm", append_model},
    {TRIKAL_STRING "10_M_replaceEmmPKcm", replace_model},
    {TRIKAL_STRING "14_M_replace_auxEmmmc", fill_model},
    {TRIKAL_STRING "9_M_assignERKS4_", assign_model},
    {TRIKAL_STRING "9_M_createERmm", create_model},
    {TRIKAL_STRING "7reserveEm", reserve_model},
    {TRIKAL_STRING "9_M_mutateEmmPKcm", mutate_model},
    {TRIKAL_STRING "12_M_constructEmc", construct_model},
    {TRIKAL_STRING "8_M_eraseEmm", erase_model},
    {TRIKAL_STRING "6resizeEmc", resize_model},
    {TRIKAL_STRING "4swapERS4_", swap_model},
    {TRIKAL_CONST "4findEPKcmm", find_model<kFind>},
    {TRIKAL_CONST "4findEcm", find_one_model<kFind>},
    {TRIKAL_CONST "5rfindEPKcmm", find_model<kBackwards>},
    {TRIKAL_CONST "5rfindEcm", find_one_model<kBackwards>},
    {TRIKAL_CONST "13find_first_ofEPKcmm", find_model<kFirstOf>},
    {TRIKAL_CONST "12find_last_ofEPKcmm", find_model<kLastOf>},
    {TRIKAL_CONST "17find_first_not_ofEPKcmm", find_model<kFirstNotOf>},
    {TRIKAL_CONST "17find_first_not_ofEcm", find_one_model<kFirstNotOf>},
    {TRIKAL_CONST "16find_last_not_ofEPKcmm", find_model<kLastNotOf>},
    {TRIKAL_CONST "16find_last_not_ofEcm", find_one_model<kLastNotOf>},
    {TRIKAL_CONST "7compareEPKc", compare_model},
    {TRIKAL_CONST "7compareERKS4_", compare_model},
    {TRIKAL_CONST "7compareEmmPKc", compare_model},
    {TRIKAL_CONST "7compareEmmRKS4_", compare_model},
};
#undef TRIKAL_STRING
#undef TRIKAL_CONST

}  // namespace

std::span<const NamedModel> cpp_text_models() { return kCppTextModels; }

}  // namespace trikal::predict
