// Streams of wide characters: bytes are counted as the locale has them.

#include <cwchar>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/wide.hpp"

namespace trikal::predict {
namespace {

constexpr Word kEnd = 0xffffffff;  // WEOF

Opened* stream_at(Machine& machine, const Call& call, std::size_t index) {
  if (index >= call.arguments.size()) return nullptr;
  return call.arguments[index].known() ? machine.world.stream(call.arguments[index].bits) : nullptr;
}

void put(Machine& machine, Call& call, Opened* one, const std::wstring& text, bool known) {
  if (one == nullptr) return;
  const std::string bytes = narrow(machine, text);
  move_in_stream(machine, call, *one, true, known ? bytes.size() : machine.setting.line_bytes, known,
                 known ? &bytes : nullptr);
}
void fputwc_model(Machine& machine, Call& call) {
  Opened* one = call.name == "putwchar" ? machine.world.standard_stream(1) : stream_at(machine, call, 1);
  put(machine, call, one, std::wstring(1, static_cast<wchar_t>(call.argument(0).bits)), true);
  call.returns(call.argument(0));
}
void fputws_model(Machine& machine, Call& call) {
  std::wstring text;
  const bool known = call.argument(0).known() && wide_characters(machine, call.argument(0).bits, text);
  put(machine, call, stream_at(machine, call, 1), text, known);
  call.returns(Value::of(Word{1}));
}

// The next character of known bytes; 0 bytes: there is none.
Word next_character(Machine& machine, const Call& call, const Opened& one, wchar_t& wide, bool& known) {
  const File& file = machine.world.files[one.file];
  const ProgramLocale locale(machine);
  const Word there = readable(machine, call, file, one.position, MB_CUR_MAX);
  std::string bytes;
  known = bytes_of_file(file, one.position, there, bytes);
  if (known) reads_on(machine, call, file, one.position);
  std::mbstate_t state{};
  const std::size_t used = known && there > 0 ? std::mbrtowc(&wide, bytes.data(), bytes.size(), &state) : 0;
  return known && used <= there ? (used == 0 && there > 0 ? 1 : used) : std::min<Word>(there, 1);
}
void fgetwc_model(Machine& machine, Call& call) {
  Opened* one = call.name == "getwchar" ? machine.world.standard_stream(0) : stream_at(machine, call, 0);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a character of a stream"));
  wchar_t wide = 0;
  bool known = false;
  const Word bytes = next_character(machine, call, *one, wide, known);
  if (bytes == 0) {
    one->end_seen = true;
    return call.returns(Value::of(kEnd));
  }
  move_in_stream(machine, call, *one, false, bytes, known);
  call.returns(known ? Value::of(static_cast<Word>(wide))
                     : machine.unknown_character(call.at, "a character of " + machine.world.files[one->file].name));
}

// A line of them, as fgets takes one.
void fgetws_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 2);
  const Value to = call.argument(0), most = call.argument(1);
  if (one == nullptr || !to.known() || !most.known())
    return call.returns(machine.unknown(call.at, "a line of a stream"));
  std::wstring text;
  const Word begin = one->position;
  bool known = true;
  while (known && text.size() + 1 < most.bits && (text.empty() || text.back() != L'\n')) {
    wchar_t wide = 0;
    const Word bytes = next_character(machine, call, *one, wide, known);
    if (bytes == 0) break;
    if (known) text += wide, one->position += bytes;
  }
  if (!known) return call.returns(machine.unknown(call.at, "a line of " + machine.world.files[one->file].name));
  const Word moved = one->position - begin;
  one->position = begin;
  if (moved == 0) {
    one->end_seen = true;
    return call.returns(Value::of(Word{0}));
  }
  move_in_stream(machine, call, *one, false, moved);
  machine.memory.write(to.bits, text.c_str(), 4 * (text.size() + 1));
  call.returns(to);
}

void printed(Machine& machine, Call& call, Opened* one, std::size_t format, std::span<const Value> arguments) {
  std::string text;
  const Value at = call.argument(format);
  const bool told = at.known() && wide_text(machine, at.bits, text);
  const Printed out = print(machine, call, told ? text : "%s", arguments);
  if (one != nullptr)
    move_in_stream(machine, call, *one, true, out.text.size(), out.known, out.known ? &out.text : nullptr);
  call.returns(out.known ? Value::of(Word{out.text.size()})
                         : machine.unknown(call.at, "the length of what was printed"));
}
std::span<const Value> behind(const Call& call, std::size_t named) {
  return std::span(call.arguments).subspan(std::min(named, call.arguments.size()));
}
void fwprintf_model(Machine& machine, Call& call) {
  printed(machine, call, stream_at(machine, call, 0), 1, behind(call, 2));
}
void wprintf_model(Machine& machine, Call& call) {
  printed(machine, call, machine.world.standard_stream(1), 0, behind(call, 1));
}
void vfwprintf_model(Machine& machine, Call& call) {
  printed(machine, call, stream_at(machine, call, 0), 1, list_arguments(machine, call, call.argument(2)));
}
void vwprintf_model(Machine& machine, Call& call) {
  printed(machine, call, machine.world.standard_stream(1), 0, list_arguments(machine, call, call.argument(1)));
}

// Into memory: what does not fit is an error, other than with bytes.
void into_wide(Machine& machine, Call& call, std::span<const Value> arguments) {
  std::string format;
  const Value to = call.argument(0), most = call.argument(1), at = call.argument(2);
  if (!to.known() || !most.known() || !at.known() || !wide_text(machine, at.bits, format))
    return call.returns(machine.unknown(call.at, "a text of wide characters"));
  const Printed out = print(machine, call, format, arguments);
  const std::wstring text(out.text.begin(), out.text.end());
  if (!out.known) {
    machine.forget_behind(call, to, "a text that was put together");
    return call.returns(machine.unknown(call.at, "the length of a text"));
  }
  machine.wrote_text(call, to.bits, 4 * text.size());
  const bool fits = text.size() < most.bits;
  if (fits) machine.memory.write(to.bits, text.c_str(), 4 * (text.size() + 1));
  call.returns(Value::of(fits ? Word{text.size()} : kEnd));
}
void swprintf_model(Machine& machine, Call& call) { into_wide(machine, call, behind(call, 3)); }
void vswprintf_model(Machine& machine, Call& call) {
  into_wide(machine, call, list_arguments(machine, call, call.argument(3)));
}
void fwide_model(Machine&, Call& call) { call.returns(call.argument(1)); }

constexpr NamedModel kWideStreamsModels[] = {
    {"fputwc", fputwc_model},     {"putwc", fputwc_model},        {"putwchar", fputwc_model},
    {"fputws", fputws_model},     {"fgetwc", fgetwc_model},       {"getwc", fgetwc_model},
    {"getwchar", fgetwc_model},   {"fgetws", fgetws_model},       {"fwprintf", fwprintf_model},
    {"wprintf", wprintf_model},   {"vfwprintf", vfwprintf_model}, {"vwprintf", vwprintf_model},
    {"swprintf", swprintf_model}, {"vswprintf", vswprintf_model}, {"fwide", fwide_model},
};

}  // namespace

std::span<const NamedModel> wide_stream_models() { return kWideStreamsModels; }

}  // namespace trikal::predict
