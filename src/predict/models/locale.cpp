// The locale, and messages in other languages: catalogues are not looked for, so messages stay as they are.

#include <langinfo.h>

#include <cstring>
#include <map>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/wide.hpp"

namespace trikal::predict {
namespace {

constexpr Word kName = kLibc + 1024;    // of the locale; empty: "C", as at the beginning
constexpr Word kDomain = kLibc + 1280;  // of messages
constexpr std::size_t kLongestName = 255;

// What this machine has under a name; null: nothing.
locale_t host_locale(const std::string& name) {
  static std::map<std::string, locale_t> all;
  const auto [found, fresh] = all.try_emplace(name, nullptr);
  if (fresh) found->second = newlocale(LC_ALL_MASK, name.c_str(), nullptr);
  return found->second;
}

std::string current_name(const Machine& machine) {
  std::string name;
  return machine.memory.text(kName, name) && !name.empty() ? name : "C";
}

// Of setlocale(category, ""): from the environment.
std::string name_by_environment(Machine& machine, const Call& call, int category) {
  const char* own = category == LC_CTYPE      ? "LC_CTYPE"
                    : category == LC_NUMERIC  ? "LC_NUMERIC"
                    : category == LC_TIME     ? "LC_TIME"
                    : category == LC_COLLATE  ? "LC_COLLATE"
                    : category == LC_MESSAGES ? "LC_MESSAGES"
                                              : "LC_CTYPE";
  for (const char* variable : {"LC_ALL", own, "LANG"})
    if (const auto value = variable_of(machine, call, variable); value && !value->empty()) return *value;
  return "C";
}

// Of the categories the kind of characters alone makes a difference here: it is what is remembered.
void setlocale_model(Machine& machine, Call& call) {
  const Value category = call.argument(0), wanted = call.argument(1);
  std::string name;
  if (!category.known() || !wanted.known() || (wanted.bits != 0 && !text_argument(machine, call, 1, name)))
    return call.returns(machine.unknown(call.at, "the locale"));
  const auto which = static_cast<int>(category.bits);
  if (wanted.bits == 0) return call.returns(Value::of(lasting_text(machine, current_name(machine))));
  if (name.empty()) name = name_by_environment(machine, call, which);
  if (name == "POSIX") name = "C";
  if (name.size() > kLongestName || host_locale(name) == nullptr) return call.returns(Value::of(Word{0}));
  if (which == LC_ALL || which == LC_CTYPE) machine.memory.write(kName, name.c_str(), name.size() + 1);
  call.returns(Value::of(lasting_text(machine, name)));
}

void nl_langinfo_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const ProgramLocale locale(machine);
  call.returns(Value::of(lasting_text(machine, ::nl_langinfo(static_cast<nl_item>(call.argument(0).bits)))));
}

void localeconv_model(Machine& machine, Call& call) {
  const ProgramLocale locale(machine);
  lconv told = *::localeconv();
  machine.memory.write(kConventions, &told, sizeof told);
  for (Word location = 0; location < offsetof(lconv, int_frac_digits); location += 8) {  // texts come first
    char* text = nullptr;
    std::memcpy(&text, reinterpret_cast<const char*>(&told) + location, sizeof text);
    machine.memory.store(kConventions + location, 8, Value::of(lasting_text(machine, text)));
  }
  call.returns(Value::of(kConventions));
}

// A locale as an object is its name.
void newlocale_model(Machine& machine, Call& call) {
  std::string name;
  if (!text_argument(machine, call, 1, name)) return call.returns(machine.unknown(call.at, "a locale"));
  if (name.empty()) name = name_by_environment(machine, call, LC_ALL);
  if (host_locale(name) == nullptr) return call.returns(Value::of(Word{0}));
  call.returns(Value::of(lasting_text(machine, name)));
}
void uselocale_model(Machine& machine, Call& call) {
  const Value wanted = call.argument(0);
  if (!wanted.known()) return call.returns(wanted);
  call.returns(Value::of(lasting_text(machine, current_name(machine))));
  std::string name = "C";
  if (wanted.bits == 0 || (~wanted.bits != 0 && !machine.memory.text(wanted.bits, name))) return;
  machine.memory.write(kName, name.c_str(), std::min(name.size(), kLongestName) + 1);
}
void duplocale_model(Machine&, Call& call) { call.returns(call.argument(0)); }

void most_bytes_model(Machine& machine, Call& call) {
  const ProgramLocale locale(machine);
  call.returns(Value::of(Word{MB_CUR_MAX}));
}

// The message itself is the answer.
template <std::size_t Index>
void message_model(Machine&, Call& call) {
  call.returns(call.argument(Index));
}
// One or many.
template <std::size_t Index>
void plural_model(Machine& machine, Call& call) {
  const Value count = call.argument(Index + 2);
  if (!count.known()) return call.returns(count);
  without_pattern(machine, call, Word{count.bits == 1});
  call.returns(call.argument(count.bits == 1 ? Index : Index + 1));
}
void textdomain_model(Machine& machine, Call& call) {
  std::string name;
  if (text_argument(machine, call, 0, name)) machine.memory.write(kDomain, name.c_str(), name.size() + 1);
  if (!machine.memory.text(kDomain, name) || name.empty()) name = "messages";
  call.returns(Value::of(lasting_text(machine, name)));
}

void strcoll_model(Machine& machine, Call& call) {
  std::string a, b;
  if (!text_argument(machine, call, 0, a) || !text_argument(machine, call, 1, b))
    return call.returns(machine.unknown(call.at, "how two texts compare"));
  const ProgramLocale locale(machine);
  const int order = ::strcoll(a.c_str(), b.c_str());
  without_pattern(machine, call, static_cast<Word>(order));
  follows(machine, call, lowest(static_cast<Word>(order), 32));
}
void strxfrm_model(Machine& machine, Call& call) {
  std::string text;
  const Value to = call.argument(0), most = call.argument(2);
  if (!text_argument(machine, call, 1, text) || !to.known() || !most.known())
    return call.returns(machine.unknown(call.at, "a text for comparing"));
  const ProgramLocale locale(machine);
  std::string made(::strxfrm(nullptr, text.c_str(), 0) + 1, '\0');
  const std::size_t length = ::strxfrm(made.data(), text.c_str(), made.size());
  machine.wrote_text(call, to.bits, length);
  machine.memory.write(to.bits, made.data(), std::min<std::size_t>(most.bits, length + 1));
  follows(machine, call, length);
}

constexpr NamedModel kLocaleModels[] = {
    {"setlocale", setlocale_model},
    {"nl_langinfo", nl_langinfo_model},
    {"localeconv", localeconv_model},
    {"newlocale", newlocale_model},
    {"uselocale", uselocale_model},
    {"duplocale", duplocale_model},
    {"freelocale", succeeds},
    {"__ctype_get_mb_cur_max", most_bytes_model},
    {"gettext", message_model<0>},
    {"dgettext", message_model<1>},
    {"dcgettext", message_model<1>},
    {"__dcgettext", message_model<1>},
    {"ngettext", plural_model<0>},
    {"dngettext", plural_model<1>},
    {"dcngettext", plural_model<1>},
    {"textdomain", textdomain_model},
    {"bindtextdomain", message_model<1>},
    {"bind_textdomain_codeset", message_model<1>},
    {"strcoll", strcoll_model},
    {"strxfrm", strxfrm_model},
};

}  // namespace

ProgramLocale::ProgramLocale(const Machine& machine) {
  const locale_t wanted = host_locale(current_name(machine));
  before_ = uselocale(wanted != nullptr ? wanted : host_locale("C"));
}

std::span<const NamedModel> locale_models() { return kLocaleModels; }

}  // namespace trikal::predict
