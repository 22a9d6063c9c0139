// Texts of wide characters: what string.h has, for wchar_t.

#include <cwchar>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/wide.hpp"

namespace trikal::predict {
namespace {

bool wide_argument(Machine& machine, const Call& call, std::size_t index, std::wstring& out) {
  const Value pointer = call.argument(index);
  return pointer.known() && pointer.bits != 0 && wide_characters(machine, pointer.bits, out);
}
void not_known(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "a text of wide characters")); }

void wcslen_model(Machine& machine, Call& call) {
  std::wstring text;
  if (!wide_argument(machine, call, 0, text)) return not_known(machine, call);
  const bool bounded = call.name == "wcsnlen" && call.argument(1).known();
  follows(machine, call, bounded ? std::min<Word>(text.size(), call.argument(1).bits) : text.size());
}

void wcscmp_model(Machine& machine, Call& call) {
  std::wstring a, b;
  const bool bounded = call.name == "wcsncmp" || call.name == "wcsncasecmp";
  if (!wide_argument(machine, call, 0, a) || !wide_argument(machine, call, 1, b) ||
      (bounded && !call.argument(2).known()))
    return not_known(machine, call);
  if (bounded) a = a.substr(0, call.argument(2).bits), b = b.substr(0, call.argument(2).bits);
  const ProgramLocale locale(machine);
  const int order = call.name == "wcscasecmp" || call.name == "wcsncasecmp" ? ::wcscasecmp(a.c_str(), b.c_str())
                    : call.name == "wcscoll"                                ? std::wcscoll(a.c_str(), b.c_str())
                                                                            : std::wcscmp(a.c_str(), b.c_str());
  without_pattern(machine, call, static_cast<Word>(order));
  follows(machine, call, lowest(static_cast<Word>(order), 32));
}

void copy_wide(Machine& machine, Call& call, bool append, bool bounded) {
  std::wstring text, before;
  const Value to = call.argument(0);
  call.returns(to);
  if (!to.known()) return;
  if (!wide_argument(machine, call, 1, text) || (bounded && !call.argument(2).known()) ||
      (append && !wide_characters(machine, to.bits, before)))
    return machine.forget_behind(call, to, "a text of wide characters");
  const Word most = bounded ? call.argument(2).bits : ~Word{0};
  const bool end = append || text.size() < most;
  text.resize(bounded && !append ? most : std::min<std::size_t>(text.size(), most));
  machine.wrote_text(call, to.bits + 4 * before.size(), 4 * text.size());
  machine.memory.write(to.bits + 4 * before.size(), text.c_str(),
                       4 * (text.size() + (end && (append || !bounded) ? 1 : 0)));
}
void wcscpy_model(Machine& machine, Call& call) { copy_wide(machine, call, false, false); }
void wcsncpy_model(Machine& machine, Call& call) { copy_wide(machine, call, false, true); }
void wcscat_model(Machine& machine, Call& call) { copy_wide(machine, call, true, false); }
void wcsncat_model(Machine& machine, Call& call) { copy_wide(machine, call, true, true); }

void wcsdup_model(Machine& machine, Call& call) {
  std::wstring text;
  if (!wide_argument(machine, call, 0, text)) return not_known(machine, call);
  const Word to = machine.world.take(4 * (text.size() + 1));
  machine.memory.write(to, text.c_str(), 4 * (text.size() + 1));
  call.returns(Value::of(to));
}

void wcschr_model(Machine& machine, Call& call) {
  std::wstring text, wanted;
  const bool part = call.name == "wcsstr";
  if (!wide_argument(machine, call, 0, text) ||
      (part ? !wide_argument(machine, call, 1, wanted) : !call.argument(1).known()))
    return not_known(machine, call);
  const auto one = static_cast<wchar_t>(call.argument(1).bits);
  std::size_t at = std::wstring::npos;
  if (part) at = text.find(wanted);
  else if (one == 0) at = text.size();
  else at = call.name == "wcschr" ? text.find(one) : text.rfind(one);
  without_pattern(machine, call, at);
  follows(machine, call, at == std::wstring::npos ? 0 : call.argument(0).bits + 4 * at);
}

void wmemcpy_model(Machine& machine, Call& call) {
  const Value to = call.argument(0), from = call.argument(1), count = call.argument(2);
  call.returns(to);
  if (!to.known()) return;
  if (from.known() && count.known()) machine.memory.copy(to.bits, from.bits, 4 * count.bits);
  else machine.forget_behind(call, to, "a copy of something that is not known");
}
void wmemset_model(Machine& machine, Call& call) {
  const Value to = call.argument(0), one = call.argument(1), count = call.argument(2);
  call.returns(to);
  if (!to.known()) return;
  if (!one.known() || !count.known() || count.bits > 1 << 20) return machine.forget_behind(call, to, "wide characters");
  const std::wstring text(count.bits, static_cast<wchar_t>(one.bits));
  machine.memory.write(to.bits, text.data(), 4 * text.size());
}
void wmemcmp_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 3); !none.known()) return call.returns(none);
  const Word count = std::min<Word>(call.argument(2).bits, 1 << 20);
  std::wstring a(count, 0), b(count, 0);
  if (!machine.memory.read(call.argument(0).bits, a.data(), 4 * count) ||
      !machine.memory.read(call.argument(1).bits, b.data(), 4 * count))
    return not_known(machine, call);
  const int order = std::wmemcmp(a.data(), b.data(), count);
  without_pattern(machine, call, static_cast<Word>(order));
  follows(machine, call, lowest(static_cast<Word>(order), 32));
}
void wcswidth_model(Machine& machine, Call& call) {
  std::wstring text;
  if (!wide_argument(machine, call, 0, text) || !call.argument(1).known()) return not_known(machine, call);
  const ProgramLocale locale(machine);
  follows(machine, call, lowest(static_cast<Word>(::wcswidth(text.c_str(), call.argument(1).bits)), 32));
}
template <class Number>
void wcstol_model(Machine& machine, Call& call) {
  std::wstring text;
  if (!wide_argument(machine, call, 0, text)) return not_known(machine, call);
  wchar_t* end = nullptr;
  Word bits = 0;
  const auto base = static_cast<int>(call.argument(2).bits);
  if constexpr (std::is_same_v<Number, double>) bits = std::bit_cast<Word>(std::wcstod(text.c_str(), &end));
  else if constexpr (std::is_signed_v<Number>) bits = static_cast<Word>(std::wcstoll(text.c_str(), &end, base));
  else bits = std::wcstoull(text.c_str(), &end, base);
  if (const Value where = call.argument(1); where.known() && where.bits != 0)
    machine.memory.store(where.bits, 8, Value::of(call.argument(0).bits + 4 * static_cast<Word>(end - text.c_str())));
  without_pattern(machine, call, bits);
  follows(machine, call, bits);
}

constexpr NamedModel kWideTextModels[] = {
    {"wcslen", wcslen_model},
    {"wcsnlen", wcslen_model},
    {"wcscmp", wcscmp_model},
    {"wcsncmp", wcscmp_model},
    {"wcscasecmp", wcscmp_model},
    {"wcsncasecmp", wcscmp_model},
    {"wcscoll", wcscmp_model},
    {"wcscpy", wcscpy_model},
    {"wcsncpy", wcsncpy_model},
    {"wcscat", wcscat_model},
    {"wcsncat", wcsncat_model},
    {"wcsdup", wcsdup_model},
    {"wcschr", wcschr_model},
    {"wcsrchr", wcschr_model},
    {"wcsstr", wcschr_model},
    {"wmemcpy", wmemcpy_model},
    {"wmemmove", wmemcpy_model},
    {"wmemset", wmemset_model},
    {"wmemcmp", wmemcmp_model},
    {"wcswidth", wcswidth_model},
    {"wcstol", wcstol_model<long>},
    {"wcstoll", wcstol_model<long>},
    {"wcstoul", wcstol_model<unsigned long>},
    {"wcstoull", wcstol_model<unsigned long>},
    {"wcstod", wcstol_model<double>},
};

}  // namespace

std::span<const NamedModel> wide_text_models() { return kWideTextModels; }

}  // namespace trikal::predict
