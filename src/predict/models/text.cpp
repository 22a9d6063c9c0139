// printf and scanf.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

struct Field {  // %-08.3ld
  std::string flags;
  std::string size;  // hh, h, l, ll, z, j, t, L
  char kind = 0;
  std::string set;  // of %[...]
  std::size_t end = 0;
};

Field field_at(std::string_view format, std::size_t at) {
  Field field;
  while (at < format.size() && std::string_view("-+ #0123456789.*'").find(format[at]) != std::string_view::npos)
    field.flags += format[at++];
  while (at < format.size() && std::string_view("hlLqjzt").find(format[at]) != std::string_view::npos)
    field.size += format[at++];
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

template <class T>
std::string formatted(const std::string& pattern, T value) {
  char buffer[512];
  const int size = std::snprintf(buffer, sizeof buffer, pattern.c_str(), value);
  return {buffer, static_cast<std::size_t>(std::clamp<int>(size, 0, sizeof buffer - 1))};
}

std::string one_field(Machine& machine, const Field& field, Value value, bool& known) {
  const std::string flags = "%" + field.flags;
  std::string text;
  switch (field.kind) {
    case 'd':
    case 'i':
      return formatted(flags + "lld", static_cast<long long>(
                                          with_sign(value.bits, field.size.empty() || field.size[0] == 'h' ? 32 : 64)));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return formatted(flags + "ll" + field.kind,
                       static_cast<unsigned long long>(lowest(value.bits, field.size.empty() ? 32 : 64)));
    case 'c': return formatted(flags + "c", static_cast<int>(value.bits & 0xff));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': return formatted(flags + field.kind, value.real());
    case 'p': return formatted("%s", "0x555555555555");
    case 's':
      known = value.bits != 0 && machine.memory.text(value.bits, text) && known;
      return text.size() < 400 ? formatted(flags + "s", text.c_str()) : text;
    default: return {};
  }
}

// A number gets one more digit: from there on a loop that prints it writes more.
void tell_digits(Machine& machine, const Call& call, const Field& field, Value value) {
  if (std::string_view("diuxXo").find(field.kind) == std::string_view::npos) return;
  const Word base = field.kind == 'x' || field.kind == 'X' ? 16 : field.kind == 'o' ? 8 : 10;
  const bool sign = field.kind == 'd' || field.kind == 'i';
  const std::int64_t number = sign ? with_sign(value.bits, field.size.empty() ? 32 : 64) : 0;
  const Word size = sign ? static_cast<Word>(std::llabs(number)) : lowest(value.bits, field.size.empty() ? 32 : 64);
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
    i = field.end - 1;
    if (field.kind == '%') {
      out.text += '%';
      continue;
    }
    for (std::size_t star; (star = field.flags.find('*')) != std::string::npos;) {
      const Value width = next < arguments.size() ? arguments[next++] : Value{};
      field.flags.replace(star, 1, std::to_string(width.known() ? with_sign(width.bits, 32) : 0));
    }
    const Value value = next < arguments.size() ? arguments[next] : Value{};
    ++next;
    if (value.known()) tell_digits(machine, call, field, value);
    if (value.known()) out.text += one_field(machine, field, value, out.known);
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

unsigned width_of(const Field& field) {
  if (field.size == "hh") return 1;
  if (field.size == "h") return 2;
  return field.size.empty() ? 4 : 8;
}

// Whether a set as in %[a-z] has it.
bool in_set(std::string_view set, char c) {
  const bool without = set.starts_with('^');
  if (without) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool range = i + 2 < set.size() && set[i + 1] == '-';
    const auto low = static_cast<unsigned char>(set[i]), high = static_cast<unsigned char>(set[range ? i + 2 : i]);
    found = found || (static_cast<unsigned char>(c) >= low && static_cast<unsigned char>(c) <= high);
    if (range) i += 2;
  }
  return found != without;
}

// One conversion of known text; false: it does not match.
bool scan_field(Machine& machine, const Field& field, const std::string& text, std::size_t& at, Value where) {
  if (field.kind != 'c' && field.kind != '[')
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  if (at >= text.size()) return false;
  const char* begin = text.c_str() + at;
  char* end = nullptr;
  const std::size_t most =
      field.flags.empty() || field.flags[0] == '*' ? text.size() : std::strtoul(field.flags.c_str(), nullptr, 10);
  const bool keep = where.known() && where.bits != 0 && field.flags.find('*') == std::string::npos;
  if (std::string_view("diuxo").find(field.kind) != std::string_view::npos) {
    const int base = field.kind == 'x' ? 16 : field.kind == 'o' ? 8 : field.kind == 'i' ? 0 : 10;
    const auto value = static_cast<Word>(std::strtoll(begin, &end, base));
    if (end == begin) return false;
    if (keep) machine.memory.store(where.bits, width_of(field), Value::of(value));
  } else if (std::string_view("fegEG").find(field.kind) != std::string_view::npos) {
    const double value = std::strtod(begin, &end);
    if (end == begin) return false;
    if (keep && field.size.empty())
      machine.memory.store(where.bits, 4, Value::of(Word{std::bit_cast<std::uint32_t>(static_cast<float>(value))}));
    else if (keep) machine.memory.store(where.bits, 8, Value::of(value));
  } else if (field.kind == 's' || field.kind == 'c') {
    std::string word;
    const std::size_t count = field.kind == 'c' ? (most == text.size() ? 1 : most) : most;
    while (at + word.size() < text.size() && word.size() < count &&
           (field.kind == 'c' || std::isspace(static_cast<unsigned char>(begin[word.size()])) == 0))
      word += begin[word.size()];
    if (keep) machine.memory.write(where.bits, word.c_str(), word.size() + (field.kind == 's' ? 1 : 0));
    at += word.size();
    return true;
  } else if (field.kind == '[') {
    std::string word;
    while (at + word.size() < text.size() && word.size() < most && in_set(field.set, begin[word.size()]))
      word += begin[word.size()];
    if (word.empty()) return false;
    if (keep) machine.memory.write(where.bits, word.c_str(), word.size() + 1);
    at += word.size();
    return true;
  } else {
    return false;
  }
  at += static_cast<std::size_t>(end - begin);
  return true;
}

void scan(Machine& machine, Call& call, const std::string& text, const std::string& format, std::size_t& at,
          std::size_t first) {
  Word done = 0;
  std::size_t next = first;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(format[i])) != 0) {
      while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    } else if (format[i] != '%') {
      if (at >= text.size() || text[at] != format[i]) break;
      ++at;
    } else {
      const Field field = field_at(format, i + 1);
      i = field.end - 1;
      const bool kept = field.flags.find('*') == std::string::npos;
      if (!scan_field(machine, field, text, at, kept ? call.argument(next) : Value{})) break;
      if (kept) ++next, ++done;
    }
  }
  const bool ended = done == 0 && at >= text.size();
  call.returns(ended ? Value::of(lowest(~Word{0}, 32)) : Value::of(done));
}

void forget_fields(Machine& machine, Call& call, std::size_t first, std::string_view what) {
  const Value unknown = machine.unknown(call.at, what);
  for (std::size_t i = first; i < call.arguments.size(); ++i)
    if (call.arguments[i].known()) machine.memory.forget(call.arguments[i].bits, 8, unknown.cause);
}

void sscanf_model(Machine& machine, Call& call) {
  std::string text, format;
  if (text_argument(machine, call, 0, text) && text_argument(machine, call, 1, format)) {
    std::size_t at = 0;
    return scan(machine, call, text, format, at, 2);
  }
  forget_fields(machine, call, 2, "what sscanf found");
  call.returns(machine.unknown(call.at, "how much sscanf found"));
}

void scan_stream(Machine& machine, Call& call, Opened* one, std::size_t format_place) {
  std::string format, text;
  const bool told = text_argument(machine, call, format_place, format);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "how much fscanf found"));
  const File& file = machine.world.files[one->file];
  const Word left = file.size_known ? file.size - std::min(file.size, one->position) : 0;
  std::size_t at = 0;
  if (told && bytes_of_file(file, one->position, left, text)) {
    scan(machine, call, text, format, at, format_place + 1);
    if (at >= text.size() && call.result[0].bits == lowest(~Word{0}, 32)) one->end_seen = true;
  } else {
    at = std::min<Word>(left, 8 * static_cast<Word>(std::ranges::count(format, '%')));
    forget_fields(machine, call, format_place + 1, "what was read from " + file.name);
    machine.compare(call, one->position + at, file.size);
    if (left == 0 && file.size_known) call.returns(Value::of(lowest(~Word{0}, 32)));
    else call.returns(Value::of(static_cast<Word>(std::ranges::count(format, '%'))));
  }
  move_bytes(machine, call, {Operation::kStreamRead, one->file, one->position, at, told});
  one->position += at;
}
void fscanf_model(Machine& machine, Call& call) {
  scan_stream(machine, call, call.argument(0).known() ? machine.world.stream(call.argument(0).bits) : nullptr, 1);
}
void scanf_model(Machine& machine, Call& call) { scan_stream(machine, call, machine.world.standard_stream(0), 0); }

constexpr NamedModel kModels[] = {
    {"sprintf", sprintf_model},   {"snprintf", snprintf_model}, {"vsnprintf", vsnprintf_model},
    {"vsprintf", vsprintf_model}, {"sscanf", sscanf_model},     {"fscanf", fscanf_model},
    {"scanf", scanf_model},
};

}  // namespace

std::span<const NamedModel> text_models() { return kModels; }

}  // namespace trikal::predict
