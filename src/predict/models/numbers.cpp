// Numbers in text, kinds of characters.

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void put_end(Machine& machine, Call& call, const char* begin, const char* end) {
  const Value where = call.argument(1);
  if (where.known() && where.bits != 0)
    machine.memory.store(where.bits, 8, Value::of(call.argument(0).bits + static_cast<Word>(end - begin)));
}

// Too large a number says so in errno, which stays as it is otherwise.
void number_read(Machine& machine, Call& call, const std::string& text, const char* end, Value value) {
  if (errno != 0) machine.memory.store(kErrno, 4, Value::of(static_cast<Word>(errno)));
  put_end(machine, call, text.c_str(), end);
  without_pattern(machine, call, digest(text));
  follows(machine, call, value.bits);
}

template <unsigned Width>
void atoi_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  without_pattern(machine, call, digest(text));
  follows(machine, call, lowest(static_cast<Word>(std::strtoll(text.c_str(), nullptr, 10)), Width));
}

template <bool Signed>
void strtol_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  char* end = nullptr;
  const int base = call.argument(2).known() ? static_cast<int>(call.argument(2).bits) : 10;
  errno = 0;
  const Word value =
      Signed ? static_cast<Word>(std::strtoll(text.c_str(), &end, base)) : std::strtoull(text.c_str(), &end, base);
  number_read(machine, call, text, end, Value::of(value));
}

void atof_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  without_pattern(machine, call, digest(text));
  follows(machine, call, std::bit_cast<Word>(std::strtod(text.c_str(), nullptr)));
}
void strtod_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  number_read(machine, call, text, end, Value::of(value));
}
void strtof_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  char* end = nullptr;
  errno = 0;
  const float value = std::strtof(text.c_str(), &end);
  number_read(machine, call, text, end, Value::of(Word{std::bit_cast<std::uint32_t>(value)}));
}

// Quotient and remainder in one: the two halves of a word where they are small.
template <unsigned Width>
void div_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) {
    for (Value& value : call.result) value = none;
    return;
  }
  const std::int64_t a = with_sign(call.argument(0).bits, Width), b = with_sign(call.argument(1).bits, Width);
  if (b == 0) return call.returns(machine.unknown(call.at, "a division by zero"));
  const auto quotient = static_cast<Word>(a / b), remainder = static_cast<Word>(a % b);
  without_pattern(machine, call, quotient);
  if (call.result.size() > 1) call.result[0] = Value::of(quotient), call.result[1] = Value::of(remainder);
  else call.returns(Value::of(lowest(quotient, 32) | remainder << 32));
}

int is_ascii(int c) { return c >= 0 && c < 128 ? 1 : 0; }
int to_ascii(int c) { return c & 127; }

template <int (*Function)(int)>
void character_model(Machine& machine, Call& call) {
  const Value c = call.argument(0);
  if (!c.known()) return call.returns(c);
  const auto wide = with_sign(c.bits, 32);
  const int result = wide >= -1 && wide < 256 ? Function(static_cast<int>(wide)) : 0;
  without_pattern(machine, call, static_cast<Word>(result));
  follows(machine, call, lowest(static_cast<Word>(result), 32));
}

template <int Width>
void abs_model(Machine&, Call& call) {
  const Value x = call.argument(0);
  call.returns(x.known() ? Value::of(lowest(static_cast<Word>(std::llabs(with_sign(x.bits, Width))), Width)) : x);
}

// The tables behind isdigit and its likes, as the headers of libc look into them.
void table_model(Machine& machine, Call& call) {
  constexpr Word kTable = (Word{1} << 47) + 8192, kPointer = kTable - 8;
  if (machine.memory.load(kPointer, 8).bits == 0) {
    machine.memory.write(kTable, *__ctype_b_loc() - 128, 384 * sizeof(unsigned short));
    machine.memory.store(kPointer, 8, Value::of(kTable + 128 * sizeof(unsigned short)));
  }
  call.returns(Value::of(kPointer));
}
template <class Table>
void case_table(Machine& machine, Call& call, Table table, Word at) {
  if (machine.memory.load(at - 8, 8).bits == 0) {
    machine.memory.write(at, *table() - 128, 384 * sizeof(int));
    machine.memory.store(at - 8, 8, Value::of(at + 128 * sizeof(int)));
  }
  call.returns(Value::of(at - 8));
}
void lower_table(Machine& machine, Call& call) {
  case_table(machine, call, __ctype_tolower_loc, (Word{1} << 47) + 16384);
}
void upper_table(Machine& machine, Call& call) {
  case_table(machine, call, __ctype_toupper_loc, (Word{1} << 47) + 32768);
}

constexpr NamedModel kNumbersModels[] = {
    {"atoi", atoi_model<32>},
    {"atol", atoi_model<64>},
    {"atoll", atoi_model<64>},
    {"strtol", strtol_model<true>},
    {"strtoll", strtol_model<true>},
    {"strtoul", strtol_model<false>},
    {"strtoull", strtol_model<false>},
    {"strtoimax", strtol_model<true>},
    {"strtoumax", strtol_model<false>},
    {"strtoq", strtol_model<true>},
    {"strtouq", strtol_model<false>},
    {"atof", atof_model},
    {"strtod", strtod_model},
    {"strtold", strtod_model},
    {"strtof", strtof_model},
    {"div", div_model<32>},
    {"ldiv", div_model<64>},
    {"lldiv", div_model<64>},
    {"imaxdiv", div_model<64>},
    {"imaxabs", abs_model<64>},
    {"tolower", character_model<std::tolower>},
    {"toupper", character_model<std::toupper>},
    {"isdigit", character_model<std::isdigit>},
    {"isalpha", character_model<std::isalpha>},
    {"isalnum", character_model<std::isalnum>},
    {"isspace", character_model<std::isspace>},
    {"isupper", character_model<std::isupper>},
    {"islower", character_model<std::islower>},
    {"isprint", character_model<std::isprint>},
    {"ispunct", character_model<std::ispunct>},
    {"isxdigit", character_model<std::isxdigit>},
    {"isgraph", character_model<std::isgraph>},
    {"iscntrl", character_model<std::iscntrl>},
    {"isblank", character_model<std::isblank>},
    {"isascii", character_model<is_ascii>},
    {"toascii", character_model<to_ascii>},
    {"abs", abs_model<32>},
    {"labs", abs_model<64>},
    {"llabs", abs_model<64>},
    {"__ctype_b_loc", table_model},
    {"__ctype_tolower_loc", lower_table},
    {"__ctype_toupper_loc", upper_table},
};

}  // namespace

std::span<const NamedModel> number_models() { return kNumbersModels; }

}  // namespace trikal::predict
