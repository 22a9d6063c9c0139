// Wide characters: between them and bytes, kinds of them, texts of them.

#include "predict/models/wide.hpp"

#include <cerrno>
#include <cstring>
#include <cwchar>
#include <cwctype>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

bool wide_characters(Machine& machine, Word at, std::wstring& out) {
  constexpr std::size_t kMost = 1 << 20;
  out.clear();
  while (out.size() < kMost) {
    const Value next = machine.memory.load(at + 4 * out.size(), 4);
    if (!next.known()) return false;
    if (next.bits == 0) return true;
    out += static_cast<wchar_t>(next.bits);
  }
  return false;
}

std::string narrow(const Machine& machine, const std::wstring& text) {
  const ProgramLocale locale(machine);
  std::string out;
  std::mbstate_t state{};
  for (const wchar_t one : text) {
    char bytes[MB_LEN_MAX];
    const std::size_t count = std::wcrtomb(bytes, one, &state);
    if (count == static_cast<std::size_t>(-1)) break;
    out.append(bytes, count);
  }
  return out;
}

bool wide_text(Machine& machine, Word at, std::string& out) {
  std::wstring text;
  if (!wide_characters(machine, at, text)) return false;
  out = narrow(machine, text);
  return true;
}

namespace {

constexpr Word kHiddenState = kLibc + 1536;  // of conversions whose caller keeps none

void put_wide(Machine& machine, Word to, const std::wstring& text, bool end) {
  machine.memory.write(to, text.c_str(), 4 * (text.size() + (end ? 1 : 0)));
}

// Bytes that are known from there on, a few of them.
std::string bytes_at(Machine& machine, Word at, Word most) {
  std::string out;
  while (out.size() < most) {
    const Value next = machine.memory.load(at + out.size(), 1);
    if (!next.known()) break;
    out += static_cast<char>(next.bits);
    if (next.bits == 0) break;
  }
  return out;
}

std::mbstate_t state_at(Machine& machine, Value where, Word& address) {
  std::mbstate_t state{};
  address = where.known() && where.bits != 0 ? where.bits : kHiddenState;
  if (!machine.memory.read(address, &state, sizeof state)) state = {};
  return state;
}

// One character of bytes: where it goes, the bytes, how many there are at most, what was left from the call before.
std::size_t one_character(Machine& machine, Call& call, Value to, Value from, Value most, Value kept) {
  const ProgramLocale locale(machine);
  Word address = 0;
  std::mbstate_t state = state_at(machine, kept, address);
  const std::string bytes = bytes_at(machine, from.bits, std::min<Word>(most.bits, MB_LEN_MAX));
  wchar_t wide = 0;
  const std::size_t used = std::mbrtowc(&wide, bytes.data(), bytes.size(), &state);
  without_pattern(machine, call, digest(bytes));
  machine.memory.write(address, &state, sizeof state);
  if (used == static_cast<std::size_t>(-1)) machine.memory.store(kErrno, 4, Value::of(Word{EILSEQ}));
  else if (used != static_cast<std::size_t>(-2) && to.known() && to.bits != 0)
    machine.memory.store(to.bits, 4, Value::of(static_cast<Word>(wide)));
  return used;
}
bool readable_character(Machine& machine, Call& call, Value from, Value most) {
  const bool known = from.known() && most.known() && machine.memory.load(from.bits, 1).known();
  if (!known) call.returns(machine.unknown(call.at, "a character of a text"));
  return known;
}
void mbrtowc_model(Machine& machine, Call& call) {
  const bool length =
      call.name == "mbrlen" || call.name == "__mbrlen";  // the same without a destination for the character
  const Value to = length ? Value{} : call.argument(0), from = call.argument(length ? 0 : 1);
  const Value most = call.argument(length ? 1 : 2), state = call.argument(length ? 2 : 3);
  if (from.known() && from.bits == 0) return call.returns(Value::of(Word{0}));
  if (!readable_character(machine, call, from, most)) return;
  follows(machine, call, one_character(machine, call, to, from, most, state));
}
void mbtowc_model(Machine& machine, Call& call) {
  const bool length = call.name == "mblen";
  const Value to = length ? Value{} : call.argument(0), from = call.argument(length ? 0 : 1);
  const Value most = call.argument(length ? 1 : 2);
  if (from.known() && from.bits == 0) return call.returns(Value::of(Word{0}));
  if (!readable_character(machine, call, from, most)) return;
  const std::size_t used = one_character(machine, call, to, from, most, Value{});
  follows(machine, call, lowest(used > MB_LEN_MAX ? ~Word{0} : used, 32));
}
void mbsinit_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  std::mbstate_t state{};
  if (where.known() && where.bits != 0 && !machine.memory.read(where.bits, &state, sizeof state))
    return call.returns(machine.unknown(call.at, "the state of a conversion"));
  call.returns(Value::of(Word{std::mbsinit(&state) != 0}));
}

void wctomb_any(Machine& machine, Call& call, unsigned width) {
  const Value to = call.argument(0), wide = call.argument(1);
  if (!wide.known()) return call.returns(wide);
  if (to.known() && to.bits == 0) return call.returns(Value::of(Word{width == 64}));
  const ProgramLocale locale(machine);
  char bytes[MB_LEN_MAX];
  std::mbstate_t state{};
  const std::size_t count = std::wcrtomb(bytes, static_cast<wchar_t>(wide.bits), &state);
  without_pattern(machine, call, count);
  if (count == static_cast<std::size_t>(-1)) return fail(machine, call, EILSEQ, width);
  if (to.known()) machine.memory.write(to.bits, bytes, count);
  follows(machine, call, count);
}
void wcrtomb_model(Machine& machine, Call& call) { wctomb_any(machine, call, 64); }
void wctomb_model(Machine& machine, Call& call) { wctomb_any(machine, call, 32); }

// Whole texts; the functions with a state of their own have a pointer to where the text begins.
void mbstowcs_any(Machine& machine, Call& call, Value from, Value told) {
  std::string text;
  const Value to = call.argument(0), most = call.argument(2);
  if (!from.known() || !to.known() || !most.known() || !machine.memory.text(from.bits, text))
    return call.returns(machine.unknown(call.at, "a text as wide characters"));
  const ProgramLocale locale(machine);
  std::wstring wide(text.size() + 1, 0);
  const std::size_t count = std::mbstowcs(wide.data(), text.c_str(), wide.size());
  without_pattern(machine, call, digest(text));
  if (count == static_cast<std::size_t>(-1)) return fail(machine, call, EILSEQ, 64);
  wide.resize(count);
  if (to.bits == 0) return follows(machine, call, count);
  const bool whole = count < most.bits;
  if (!whole) wide.resize(most.bits);
  put_wide(machine, to.bits, wide, whole);
  if (told.known() && told.bits != 0) {
    const Word rest = whole ? 0 : from.bits + narrow(machine, wide).size();
    machine.memory.store(told.bits, 8, Value::of(rest));
  }
  follows(machine, call, wide.size());
}
void mbstowcs_model(Machine& machine, Call& call) { mbstowcs_any(machine, call, call.argument(1), Value{}); }
void mbsrtowcs_model(Machine& machine, Call& call) {
  const Value told = call.argument(1);
  mbstowcs_any(machine, call, told.known() ? machine.memory.load(told.bits, 8) : told, told);
}
void wcstombs_any(Machine& machine, Call& call, Value from, Value told) {
  std::wstring wide;
  const Value to = call.argument(0), most = call.argument(2);
  if (!from.known() || !to.known() || !most.known() || !wide_characters(machine, from.bits, wide))
    return call.returns(machine.unknown(call.at, "wide characters as a text"));
  const ProgramLocale locale(machine);
  const std::size_t count = std::wcstombs(nullptr, wide.c_str(), 0);
  without_pattern(machine, call, count);
  if (count == static_cast<std::size_t>(-1)) return fail(machine, call, EILSEQ, 64);
  if (to.bits == 0) return follows(machine, call, count);
  std::string text(std::min<std::size_t>(count + 1, most.bits), '\0');
  const std::size_t done = std::wcstombs(text.data(), wide.c_str(), text.size());
  machine.memory.write(to.bits, text.data(), std::min<std::size_t>(text.size(), done + 1));
  if (told.known() && told.bits != 0 && done < most.bits) machine.memory.store(told.bits, 8, Value::of(Word{0}));
  follows(machine, call, done);
}
void wcstombs_model(Machine& machine, Call& call) { wcstombs_any(machine, call, call.argument(1), Value{}); }
void wcsrtombs_model(Machine& machine, Call& call) {
  const Value told = call.argument(1);
  wcstombs_any(machine, call, told.known() ? machine.memory.load(told.bits, 8) : told, told);
}

template <auto Function>
void kind_model(Machine& machine, Call& call) {
  const Value c = call.argument(0);
  if (!c.known()) return call.returns(c);
  const ProgramLocale locale(machine);
  const auto result = static_cast<Word>(static_cast<std::int64_t>(Function(static_cast<wint_t>(c.bits))));
  without_pattern(machine, call, result);
  follows(machine, call, lowest(result, 32));
}
int btowc_of(wint_t c) { return static_cast<int>(std::btowc(static_cast<int>(c))); }
int width_of(wint_t c) { return ::wcwidth(static_cast<wchar_t>(c)); }

// A class of characters is its name.
void wctype_model(Machine& machine, Call& call) {
  std::string name;
  if (!text_argument(machine, call, 0, name)) return call.returns(machine.unknown(call.at, "a class of characters"));
  const bool there = call.name == "wctype" ? std::wctype(name.c_str()) != 0 : std::wctrans(name.c_str()) != nullptr;
  call.returns(Value::of(there ? lasting_text(machine, name) : 0));
}
void iswctype_model(Machine& machine, Call& call) {
  std::string name;
  if (!call.argument(0).known() || !text_argument(machine, call, 1, name))
    return call.returns(machine.unknown(call.at, "a class of characters"));
  const ProgramLocale locale(machine);
  const auto c = static_cast<wint_t>(call.argument(0).bits);
  const Word result = call.name == "iswctype" ? static_cast<Word>(std::iswctype(c, std::wctype(name.c_str())) != 0)
                                              : Word{std::towctrans(c, std::wctrans(name.c_str()))};
  without_pattern(machine, call, result);
  follows(machine, call, lowest(result, 32));
}

constexpr NamedModel kWideModels[] = {
    {"mbrtowc", mbrtowc_model},
    {"mbrlen", mbrtowc_model},
    {"__mbrlen", mbrtowc_model},
    {"mbtowc", mbtowc_model},
    {"mblen", mbtowc_model},
    {"mbsinit", mbsinit_model},
    {"wcrtomb", wcrtomb_model},
    {"wctomb", wctomb_model},
    {"mbstowcs", mbstowcs_model},
    {"mbsrtowcs", mbsrtowcs_model},
    {"wcstombs", wcstombs_model},
    {"wcsrtombs", wcsrtombs_model},
    {"btowc", kind_model<btowc_of>},
    {"wctob", kind_model<std::wctob>},
    {"wcwidth", kind_model<width_of>},
    {"iswalnum", kind_model<::iswalnum>},
    {"iswalpha", kind_model<::iswalpha>},
    {"iswblank", kind_model<::iswblank>},
    {"iswcntrl", kind_model<::iswcntrl>},
    {"iswdigit", kind_model<::iswdigit>},
    {"iswgraph", kind_model<::iswgraph>},
    {"iswlower", kind_model<::iswlower>},
    {"iswprint", kind_model<::iswprint>},
    {"iswpunct", kind_model<::iswpunct>},
    {"iswspace", kind_model<::iswspace>},
    {"iswupper", kind_model<::iswupper>},
    {"iswxdigit", kind_model<::iswxdigit>},
    {"towlower", kind_model<::towlower>},
    {"towupper", kind_model<::towupper>},
    {"wctype", wctype_model},
    {"wctrans", wctype_model},
    {"iswctype", iswctype_model},
    {"towctrans", iswctype_model},
};

}  // namespace

std::span<const NamedModel> wide_models() { return kWideModels; }

}  // namespace trikal::predict
