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
    const Word room = std::max<Word>(2 * text.size(), 30);
    at = Value::of(machine.world.take(room + 1));
    machine.memory.store(object.bits, 8, at);
    machine.memory.store(object.bits + kOwn, 8, Value::of(room));
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

void replace_model(Machine& machine, Call& call) {  // this, place, length, characters, their number
  std::string text, with;
  const Value place = call.argument(1), length = call.argument(2);
  const bool told =
      read_string(machine, call.argument(0), text) && piece(machine, call, 3, with) && place.known() && length.known();
  if (!told || place.bits > text.size()) return lost(machine, call);
  write_string(machine, call, call.argument(0), text.replace(place.bits, length.bits, with), true);
  call.returns(call.argument(0));
}

void fill_model(Machine& machine, Call& call) {  // this, place, length, number, character
  std::string text;
  const Value place = call.argument(1), length = call.argument(2), number = call.argument(3),
              character = call.argument(4);
  const bool told = read_string(machine, call.argument(0), text) && place.known() && length.known() && number.known() &&
                    character.known();
  if (!told || place.bits > text.size() || number.bits > 1 << 20) return lost(machine, call);
  write_string(machine, call, call.argument(0),
               text.replace(place.bits, length.bits, number.bits, static_cast<char>(character.bits)), true);
  call.returns(call.argument(0));
}

void assign_model(Machine& machine, Call& call) {
  std::string text;
  if (!read_string(machine, call.argument(1), text)) return lost(machine, call);
  write_string(machine, call, call.argument(0), text, true);
}

void compare_model(Machine& machine, Call& call) {  // with characters that end with zero
  std::string text, other;
  const Value at = call.argument(1);
  if (!read_string(machine, call.argument(0), text) || !at.known() || !machine.memory.text(at.bits, other, nullptr))
    return call.returns(machine.unknown(call.at, "a std::string that is not known"));
  call.returns(Value::of(lowest(static_cast<Word>(std::int64_t{text.compare(other)}), 32)));
}

void create_model(Machine& machine, Call& call) {  // this, the capacity asked for, the one there was
  const Value asked = call.argument(1).known() ? machine.memory.load(call.argument(1).bits, 8) : call.argument(1);
  call.returns(Value::of(machine.world.take(asked.known() ? asked.bits + 1 : 4096)));
}

// Room is made where text is written; what it held stays.
void reserve_model(Machine&, Call&) {}

constexpr NamedModel kModels[] = {
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm", append_model},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_replaceEmmPKcm", replace_model},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc", fill_model},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_assignERKS4_", assign_model},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm", create_model},
    {"_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc", compare_model},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm", reserve_model},
};

}  // namespace

std::span<const NamedModel> cpp_text_models() { return kModels; }

}  // namespace trikal::predict
