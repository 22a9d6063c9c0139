// The exceptions of the library: their constructors with a text, destructors and what(), and functions of it that throw them.

#include <array>

#include "predict/models/cpp.hpp"
#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kText = 8;  // behind the table
// Those that keep a text, and those that always say the same.
constexpr std::string_view kWithText[] = {"St13runtime_error",
                                          "St11logic_error",
                                          "St12out_of_range",
                                          "St16invalid_argument",
                                          "St12domain_error",
                                          "St12length_error",
                                          "St11range_error",
                                          "St14overflow_error",
                                          "St15underflow_error",
                                          "St12system_error",
                                          "St12future_error",
                                          "NSt8ios_base7failureB5cxx11E",
                                          "NSt10filesystem7__cxx1116filesystem_errorE"};
constexpr std::pair<std::string_view, const char*> kWithout[] = {
    {"St9exception", "std::exception"},
    {"St9bad_alloc", "std::bad_alloc"},
    {"St8bad_cast", "std::bad_cast"},
    {"St10bad_typeid", "std::bad_typeid"},
    {"St13bad_exception", "std::bad_exception"},
    {"St20bad_array_new_length", "std::bad_array_new_length"},
    {"St17bad_function_call", "bad_function_call"},
    {"St12bad_weak_ptr", "bad_weak_ptr"},
};

// _ZN (or _ZNK) before a type's name, which has its own N and E where it is in a namespace.
bool belongs(std::string_view name, std::string_view type, std::string_view& rest) {
  const std::string_view inner = type.starts_with("N") ? type.substr(1, type.size() - 2) : type;
  for (const std::string_view start : {"_ZNK", "_ZN"}) {
    if (!name.starts_with(start) || !name.substr(start.size()).starts_with(inner)) continue;
    rest = name.substr(start.size() + inner.size());
    return true;
  }
  return false;
}

void keep_text(Machine& machine, Word object, const std::string& text, bool known) {
  const Word copy = machine.world.take(text.size() + 1);
  machine.memory.write(copy, text.c_str(), text.size() + 1);
  if (!known) machine.memory.store(copy, 1, Value::unknown(1));
  machine.memory.store(object + kText, 8, Value::of(copy));
}
void set_table(Machine& machine, const Call& call, std::string_view type) {
  machine.memory.store(call.argument(0).bits, 8,
                       Value::of(cpp_table_of(machine, ("_ZTV" + std::string(type)).c_str())));
}
std::string_view type_in(std::string_view name) {
  std::string_view rest;
  for (const std::string_view type : kWithText)
    if (belongs(name, type, rest)) return type;
  for (const auto& [type, says] : kWithout)
    if (belongs(name, type, rest)) return type;
  return {};
}

void from_characters_model(Machine& machine, Call& call) {
  std::string text;
  if (!call.argument(0).known()) return;
  const bool known = text_argument(machine, call, 1, text);
  keep_text(machine, call.argument(0).bits, text, known);
  set_table(machine, call, type_in(call.name));
}
void from_string_model(Machine& machine, Call& call) {
  std::string text;
  if (!call.argument(0).known()) return;
  const bool known = read_string(machine, call.argument(1), text);
  keep_text(machine, call.argument(0).bits, text, known);
  set_table(machine, call, type_in(call.name));
}
void copy_model(Machine& machine, Call& call) {
  std::string text;
  if (!call.argument(0).known() || !call.argument(1).known()) return;
  const bool known = machine.memory.text(machine.memory.load(call.argument(1).bits + kText, 8).bits, text);
  keep_text(machine, call.argument(0).bits, text, known);
  set_table(machine, call, type_in(call.name));
}
template <bool Frees>
void destroy_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  machine.world.give_back(machine.memory.load(call.argument(0).bits + kText, 8).bits);
  if (Frees) machine.world.give_back(call.argument(0).bits);
}
void free_object_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits);
}
void kept_text_model(Machine& machine, Call& call) {
  call.returns(call.argument(0).known() ? machine.memory.load(call.argument(0).bits + kText, 8)
                                        : machine.unknown(call.at, "the text of an exception"));
}
void fixed_text_model(Machine& machine, Call& call) {
  constexpr Word kTexts = (Word{1} << 47) + (Word{1} << 34), kApart = 64;
  const std::string_view type = type_in(call.name);
  for (Word i = 0; i < std::size(kWithout); ++i) {
    if (kWithout[i].first != type) continue;
    const std::string_view text = kWithout[i].second;
    machine.memory.write(kTexts + i * kApart, text.data(), text.size() + 1);
    call.returns(Value::of(kTexts + i * kApart));
  }
}

// Functions of the library that throw for its headers.
template <std::size_t Index>
void throws_model(Machine& machine, Call& call) {
  std::string text;
  (void)text_argument(machine, call, 0, text);
  throw_standard(machine, call, std::string(kWithText[Index]), text);
}
template <std::size_t Index>
void throws_fixed_model(Machine& machine, Call& call) {
  throw_standard(machine, call, std::string(kWithout[Index].first), "");
}
void out_of_range_model(Machine& machine, Call& call) {
  std::string format;
  (void)text_argument(machine, call, 0, format);
  const std::span<const Value> values =
      std::span(call.arguments).subspan(std::min<std::size_t>(1, call.arguments.size()));
  throw_standard(machine, call, "St12out_of_range", print(machine, call, format, values).text);
}
void failure_model(Machine& machine, Call& call) {
  std::string text;
  (void)text_argument(machine, call, 0, text);
  throw_standard(machine, call, "NSt8ios_base7failureB5cxx11E", text + ": iostream error");
}

constexpr NamedModel kCppStandardExceptionsModels[] = {
    {"_ZSt21__throw_runtime_errorPKc", throws_model<0>},
    {"_ZSt19__throw_logic_errorPKc", throws_model<1>},
    {"_ZSt20__throw_out_of_rangePKc", throws_model<2>},
    {"_ZSt24__throw_invalid_argumentPKc", throws_model<3>},
    {"_ZSt20__throw_domain_errorPKc", throws_model<4>},
    {"_ZSt20__throw_length_errorPKc", throws_model<5>},
    {"_ZSt19__throw_range_errorPKc", throws_model<6>},
    {"_ZSt22__throw_overflow_errorPKc", throws_model<7>},
    {"_ZSt23__throw_underflow_errorPKc", throws_model<8>},
    {"_ZSt24__throw_out_of_range_fmtPKcz", out_of_range_model},
    {"_ZSt19__throw_ios_failurePKc", failure_model},
    {"_ZSt17__throw_bad_allocv", throws_fixed_model<1>},
    {"_ZSt16__throw_bad_castv", throws_fixed_model<2>},
    {"_ZSt18__throw_bad_typeidv", throws_fixed_model<3>},
    {"_ZSt21__throw_bad_exceptionv", throws_fixed_model<4>},
    {"_ZSt28__throw_bad_array_new_lengthv", throws_fixed_model<5>},
    {"_ZSt25__throw_bad_function_callv", throws_fixed_model<6>},
};

}  // namespace

Model exception_model_for(std::string_view name) {
  if (!name.starts_with("_ZN")) return nullptr;
  std::string_view rest;
  for (const std::string_view type : kWithText) {
    if (!belongs(name, type, rest)) continue;
    if (rest == "C1EPKc" || rest == "C2EPKc") return from_characters_model;
    if (rest.starts_with("C1ERKNSt7__cxx1112basic_string") || rest.starts_with("C2ERKNSt7__cxx1112basic_string"))
      return from_string_model;
    if (rest == "C1ERKS_" || rest == "C2ERKS_" || rest == "C1EOS_" || rest == "C2EOS_") return copy_model;
    if (rest == "D1Ev" || rest == "D2Ev") return destroy_model<false>;
    if (rest == "D0Ev") return destroy_model<true>;
    return rest == "4whatEv" ? kept_text_model : nullptr;
  }
  for (const auto& [type, says] : kWithout) {
    if (!belongs(name, type, rest)) continue;
    if (rest == "D1Ev" || rest == "D2Ev") return succeeds;
    if (rest == "D0Ev") return free_object_model;
    return rest == "4whatEv" ? fixed_text_model : nullptr;
  }
  return nullptr;
}

std::span<const NamedModel> cpp_standard_exception_models() { return kCppStandardExceptionsModels; }

}  // namespace trikal::predict
