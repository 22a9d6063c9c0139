// printf.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/text.hpp"
#include "predict/models/wide.hpp"

namespace trikal::predict {

Field field_at(std::string_view format, std::size_t at) {
  Field field;
  while (at < format.size() && std::string_view("-+ #0123456789.*'").find(format[at]) != std::string_view::npos)
    field.flags += format[at++];
  while (at < format.size() && std::string_view("hlLqjzt").find(format[at]) != std::string_view::npos)
    field.size += format[at++];
  if (at + 1 < format.size() && format[at] == 'm' &&
      std::string_view("sc[").find(format[at + 1]) != std::string_view::npos)
    field.allocates = true, ++at;
  if (at < format.size()) field.kind = format[at++];
  if (field.kind == '[') {  // a bracket at the beginning of a set is part of it
    const std::size_t first = at + (at < format.size() && format[at] == '^' ? 1 : 0);
    const std::size_t end = format.find(']', first + 1);
    field.set = format.substr(at, end == std::string_view::npos ? end : end - at);
    at = end == std::string_view::npos ? format.size() : end + 1;
  }
  field.end = at;
  return field;
}

namespace {

unsigned bits_of(const Field& field) {
  if (field.size == "hh") return 8;
  if (field.size == "h") return 16;
  return field.size.empty() ? 32 : 64;
}

template <class T>
std::string formatted(const std::string& pattern, T value) {
  constexpr int kMost = 1 << 20;
  const int size = std::clamp(std::snprintf(nullptr, 0, pattern.c_str(), value), 0, kMost);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), pattern.c_str(), value);
  text.pop_back();
  return text;
}

// A text for %s: up to its end, or as many characters as the precision allows.
bool text_for(Machine& machine, const Field& field, Word at, std::string& out) {
  if (field.size == "l") return wide_text(machine, at, out);
  const std::size_t point = field.flags.find('.');
  if (point == std::string::npos) return machine.memory.text(at, out);
  const std::size_t most = std::strtoul(field.flags.c_str() + point + 1, nullptr, 10);
  while (out.size() < most) {
    const Value next = machine.memory.load(at + out.size(), 1);
    if (!next.known()) return false;
    if (next.bits == 0) break;
    out += static_cast<char>(next.bits);
  }
  return true;
}

std::string one_field(Machine& machine, const Field& field, Value value, bool& known) {
  const std::string flags = "%" + field.flags;
  std::string text;
  switch (field.kind) {
    case 'd':
    case 'i': return formatted(flags + "lld", static_cast<long long>(with_sign(value.bits, bits_of(field))));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return formatted(flags + "ll" + field.kind, static_cast<unsigned long long>(lowest(value.bits, bits_of(field))));
    case 'c':
      if (field.size == "l") return narrow(machine, std::wstring(1, static_cast<wchar_t>(value.bits)));
      return formatted(flags + "c", static_cast<int>(value.bits & 0xff));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return formatted(flags + field.kind, value.real());
    case 'p': return formatted("%s", "0x555555555555");
    case 's':
      if (value.bits == 0) return formatted(flags + "s", "(null)");
      known = text_for(machine, field, value.bits, text) && known;
      return formatted(flags + "s", text.c_str());
    default: return {};
  }
}

// Part of a date that is not known: two digits where the format says so, or as many as it says.
std::string clock_digits(const Field& field, bool& known) {
  const std::size_t width = std::strtoul(field.flags.c_str(), nullptr, 10);
  known = known && width >= 2;
  return std::string(std::max<std::size_t>(2, width), '1');
}

// What %m stands for.
std::string error_text(Machine& machine, bool& known) {
  const Value number = machine.memory.load(kErrno, 4);
  known = known && number.known();
  return ::strerror(static_cast<int>(number.bits));
}

// A number gets one more digit: from there on a loop that prints it writes more.
void tell_digits(Machine& machine, const Call& call, const Field& field, Value value) {
  if (std::string_view("diuxXo").find(field.kind) == std::string_view::npos) return;
  const Word base = field.kind == 'x' || field.kind == 'X' ? 16 : field.kind == 'o' ? 8 : 10;
  const bool sign = field.kind == 'd' || field.kind == 'i';
  const std::int64_t number = sign ? with_sign(value.bits, bits_of(field)) : 0;
  const Word size = sign ? static_cast<Word>(std::llabs(number)) : lowest(value.bits, bits_of(field));
  Word top = base;
  while (top <= size && top < ~Word{0} / base) top *= base;
  machine.compare(call, size, top - 1);
  if (number < 0) machine.compare(call, 1, size);
  if (size >= base) machine.compare(call, top / base, size);
}

}  // namespace

Printed print(Machine& machine, const Call& call, std::string_view format, std::span<const Value> arguments) {
  constexpr std::size_t kAssumedField = 8;
  Printed out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.text += format[i];
      continue;
    }
    Field field = field_at(format, i + 1);
    if (field.allocates)
      field.kind = 'm', --field.end;  // %m is whole there, and the character behind it stands for itself
    i = field.end - 1;
    if (field.kind == '%' || field.kind == 'm') {
      out.text += field.kind == '%' ? "%" : formatted("%" + field.flags + "s", error_text(machine, out.known).c_str());
      continue;
    }
    for (std::size_t star; (star = field.flags.find('*')) != std::string::npos;) {
      const Value width = next < arguments.size() ? arguments[next++] : Value{};
      const std::int64_t number = width.known() ? with_sign(width.bits, 32) : 0;
      out.known = out.known && width.known();
      if (number < 0 && star > 0 && field.flags[star - 1] == '.')
        field.flags.erase(star - 1, 2);  // as if it were not there
      else field.flags.replace(star, 1, std::to_string(number));
    }
    const Value value = next < arguments.size() ? arguments[next] : Value{};
    ++next;
    if (value.known()) tell_digits(machine, call, field, value);
    if (value.known()) out.text += one_field(machine, field, value, out.known);
    else if (is_clock(machine, value)) out.text += clock_digits(field, out.known);
    else out.text += std::string(kAssumedField, '?'), out.known = false;
  }
  return out;
}

std::vector<Value> list_arguments(Machine& machine, const Call& call, Value list) {
  // va_start keeps where the caller's further arguments are; see intrinsics.cpp.
  std::vector<Value> out;
  const Value table = list.known() ? machine.memory.load(list.bits + 8, 8) : list;
  const Value count = list.known() ? machine.memory.load(list.bits + 16, 8) : list;
  if (!table.known() || !count.known() || count.bits > 4096) return {machine.unknown(call.at, "arguments of a list")};
  for (Word i = 0; i < count.bits; ++i) out.push_back(machine.memory.load(table.bits + 8 * i, 8));
  return out;
}

namespace {

void write_text(Machine& machine, Call& call, const Printed& out, Value where, Word most) {
  if (where.known() && where.bits != 0 && most > 0) {
    const std::string text = out.text.substr(0, std::min<Word>(out.text.size(), most - 1));
    machine.wrote_text(call, where.bits, text.size());
    if (out.known) machine.memory.write(where.bits, text.c_str(), text.size() + 1);
    else
      machine.memory.forget(where.bits, text.size() + 1,
                            machine.unknown(call.at, "a text that was put together").cause);
  }
  call.returns(out.known ? Value::of(Word{out.text.size()}) : machine.unknown(call.at, "the length of a text"));
}

void into_text(Machine& machine, Call& call, std::size_t format, Word most, std::span<const Value> arguments) {
  std::string text;
  Printed out;
  if (text_argument(machine, call, format, text)) out = print(machine, call, text, arguments);
  else out.known = false;
  write_text(machine, call, out, call.argument(0), most);
}

void sprintf_model(Machine& machine, Call& call) {
  into_text(machine, call, 1, ~Word{0}, std::span(call.arguments).subspan(2));
}
void snprintf_model(Machine& machine, Call& call) {
  const Value most = call.argument(1);
  into_text(machine, call, 2, most.known() ? most.bits : 4096, std::span(call.arguments).subspan(3));
}
void vsnprintf_model(Machine& machine, Call& call) {
  const Value most = call.argument(1);
  into_text(machine, call, 2, most.known() ? most.bits : 4096, list_arguments(machine, call, call.argument(3)));
}
void vsprintf_model(Machine& machine, Call& call) {
  into_text(machine, call, 1, ~Word{0}, list_arguments(machine, call, call.argument(2)));
}

// A text on the heap; the argument says where its address goes.
void put_allocated(Machine& machine, Call& call, std::span<const Value> arguments) {
  std::string format;
  Printed out;
  if (text_argument(machine, call, 1, format)) out = print(machine, call, format, arguments);
  else out.known = false;
  const Word text = machine.world.take(out.known ? out.text.size() + 1 : machine.setting.line_bytes);
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 8, Value::of(text));
  write_text(machine, call, out, Value::of(text), ~Word{0});
}
void asprintf_model(Machine& machine, Call& call) {
  put_allocated(machine, call, std::span(call.arguments).subspan(2));
}
void vasprintf_model(Machine& machine, Call& call) {
  put_allocated(machine, call, list_arguments(machine, call, call.argument(2)));
}

constexpr NamedModel kTextModels[] = {
    {"sprintf", sprintf_model},     {"snprintf", snprintf_model}, {"vsnprintf", vsnprintf_model},
    {"vsprintf", vsprintf_model},   {"asprintf", asprintf_model}, {"vasprintf", vasprintf_model},
    {"__asprintf", asprintf_model},
};

}  // namespace

std::span<const NamedModel> text_models() { return kTextModels; }

}  // namespace trikal::predict
