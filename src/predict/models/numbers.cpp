// Numbers in text, mathematics, kinds of characters.

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void put_end(Machine& machine, Call& call, const char* begin, const char* end) {
  const Value where = call.argument(1);
  if (where.known() && where.bits != 0)
    machine.memory.store(where.bits, 8, Value::of(call.argument(0).bits + static_cast<Word>(end - begin)));
}

template <unsigned Width>
void atoi_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  call.returns(Value::of(lowest(static_cast<Word>(std::strtoll(text.c_str(), nullptr, 10)), Width)));
}

template <bool Signed>
void strtol_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  char* end = nullptr;
  const int base = call.argument(2).known() ? static_cast<int>(call.argument(2).bits) : 10;
  const Word value =
      Signed ? static_cast<Word>(std::strtoll(text.c_str(), &end, base)) : std::strtoull(text.c_str(), &end, base);
  put_end(machine, call, text.c_str(), end);
  call.returns(Value::of(value));
}

void atof_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  call.returns(Value::of(std::strtod(text.c_str(), nullptr)));
}
void strtod_model(Machine& machine, Call& call) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a number in a text"));
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  put_end(machine, call, text.c_str(), end);
  call.returns(Value::of(value));
}

template <double (*Function)(double)>
void real_model(Machine&, Call& call) {
  const Value x = call.argument(0);
  call.returns(x.known() ? Value::of(Function(x.real())) : x);
}
template <double (*Function)(double, double)>
void real_model2(Machine&, Call& call) {
  const Value x = call.argument(0), y = call.argument(1);
  call.returns(!x.known() ? x : !y.known() ? y : Value::of(Function(x.real(), y.real())));
}

template <int (*Function)(int)>
void character_model(Machine&, Call& call) {
  const Value c = call.argument(0);
  if (!c.known()) return call.returns(c);
  const auto wide = with_sign(c.bits, 32);
  call.returns(
      Value::of(lowest(static_cast<Word>(wide >= -1 && wide < 256 ? Function(static_cast<int>(wide)) : 0), 32)));
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

constexpr NamedModel kModels[] = {
    {"atoi", atoi_model<32>},
    {"atol", atoi_model<64>},
    {"atoll", atoi_model<64>},
    {"strtol", strtol_model<true>},
    {"strtoll", strtol_model<true>},
    {"strtoul", strtol_model<false>},
    {"strtoull", strtol_model<false>},
    {"strtoimax", strtol_model<true>},
    {"atof", atof_model},
    {"strtod", strtod_model},
    {"sqrt", real_model<std::sqrt>},
    {"sin", real_model<std::sin>},
    {"cos", real_model<std::cos>},
    {"tan", real_model<std::tan>},
    {"exp", real_model<std::exp>},
    {"log", real_model<std::log>},
    {"log2", real_model<std::log2>},
    {"log10", real_model<std::log10>},
    {"fabs", real_model<std::fabs>},
    {"floor", real_model<std::floor>},
    {"ceil", real_model<std::ceil>},
    {"round", real_model<std::round>},
    {"pow", real_model2<std::pow>},
    {"fmod", real_model2<std::fmod>},
    {"fmin", real_model2<std::fmin>},
    {"fmax", real_model2<std::fmax>},
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
    {"abs", abs_model<32>},
    {"labs", abs_model<64>},
    {"llabs", abs_model<64>},
    {"__ctype_b_loc", table_model},
    {"__ctype_tolower_loc", lower_table},
    {"__ctype_toupper_loc", upper_table},
};

}  // namespace

std::span<const NamedModel> number_models() { return kModels; }

}  // namespace trikal::predict
