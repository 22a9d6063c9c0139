// What C++ programs put into streams: text and numbers.

#include <algorithm>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kBoolalpha = 1, kFixed = 4, kHex = 8, kInternal = 16, kLeft = 32, kOct = 64, kScientific = 256,
               kShowbase = 512, kShowpoint = 1024, kShowpos = 2048, kUnitbuf = 8192, kUppercase = 16384;

// A stream that is ready for output, with what it is told about layout; the width holds for one item.
struct Layout {
  bool good = false, known = true;
  Word flags = 0, width = 0, precision = 6;
  char fill = ' ';
  Word ios = 0;
};

Layout layout_of(Machine& machine, const Call& call, bool formatted) {
  Layout out;
  const Value stream = call.argument(0);
  const auto ios = ios_of(machine, stream);
  if (!ios || state_of(machine, stream) != 0) {
    if (ios) add_state(machine, call, stream, kBad);
    return out;
  }
  flush_tied(machine, call, stream);
  out.good = true, out.ios = *ios;
  const Value flags = machine.memory.load(*ios + kFlagsInIos, 4), width = machine.memory.load(*ios + kWidthInIos, 8),
              precision = machine.memory.load(*ios + kPrecisionInIos, 8),
              fill = machine.memory.load(*ios + kFillInIos, 1);
  out.known = flags.known() && width.known() && precision.known();
  if (flags.known()) out.flags = flags.bits;
  if (precision.known() && precision.bits < 100) out.precision = precision.bits;
  if (width.known() && width.bits < 1 << 16) out.width = width.bits;
  if (fill.known() && fill.bits != 0) out.fill = static_cast<char>(fill.bits);
  if (formatted) machine.memory.store(*ios + kWidthInIos, 8, Value::of(Word{0}));
  return out;
}

// After each item, where the stream is told to keep nothing back.
void finish(Machine& machine, const Call& call, const Layout& layout) {
  if ((layout.flags & kUnitbuf) != 0) flush(machine, call, buffer_of(machine, call.argument(0)));
}

void block(Machine& machine, Call& call, bool formatted) {
  call.returns(call.argument(0));
  const Layout layout = layout_of(machine, call, formatted);
  if (!layout.good) return;
  const Value bytes = call.argument(2);
  std::string data;
  const bool told = bytes.known() && written_data(machine, call.argument(1), bytes.bits, data);
  const Word size = bytes.known() ? bytes.bits : machine.setting.line_bytes;
  const Word padding = formatted && layout.width > size ? layout.width - size : 0;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  if (!bytes.known() && buffer.file != nullptr) buffer.file->guessed = true;
  const auto pad = [&] {
    for (Word i = 0; i < padding; ++i)
      put_character(machine, call, buffer, Value::of(static_cast<Word>(static_cast<unsigned char>(layout.fill))));
  };
  if ((layout.flags & kLeft) == 0) pad();
  put(machine, call, buffer, {size, told ? &data : nullptr, call.argument(1)});
  if ((layout.flags & kLeft) != 0) pad();
  finish(machine, call, layout);
}
void write_model(Machine& machine, Call& call) { block(machine, call, false); }
void insert_model(Machine& machine, Call& call) { block(machine, call, true); }

void put_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  const Layout layout = layout_of(machine, call, false);
  if (!layout.good) return;
  put_character(machine, call, buffer_of(machine, call.argument(0)), call.argument(1));
  finish(machine, call, layout);
}

void flush_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  flush(machine, call, buffer_of(machine, call.argument(0)));
}

// How printf would be told to write it.
std::string format_of(const Layout& layout, char kind) {
  std::string format = "%";
  const bool upper = (layout.flags & kUppercase) != 0, wide = kind == 'l' || kind == 'm',
             sign = kind == 'd' || kind == 'l';
  if ((layout.flags & kShowpos) != 0 && (sign || kind == 'g')) format += '+';
  if (kind == 'p') return "%p";
  if (kind == 'g') {
    if ((layout.flags & kShowpoint) != 0) format += '#';
    const bool fixed = (layout.flags & kFixed) != 0, scientific = (layout.flags & kScientific) != 0;
    if (fixed && scientific) return format + (upper ? 'A' : 'a');
    format += "." + std::to_string(layout.precision);
    return format + static_cast<char>((fixed ? 'f' : scientific ? 'e' : 'g') - (upper ? 32 : 0));
  }
  if ((layout.flags & (kHex | kOct)) != 0) {
    if ((layout.flags & kShowbase) != 0) format += '#';
    return format + (wide ? "l" : "") + ((layout.flags & kOct) != 0 ? 'o' : upper ? 'X' : 'x');
  }
  return format + (wide ? "l" : "") + (sign ? 'd' : 'u');
}

void pad_number(const Layout& layout, std::string& text) {
  if (text.size() >= layout.width) return;
  std::size_t index = 0;
  if ((layout.flags & kLeft) != 0) index = text.size();
  else if ((layout.flags & kInternal) != 0) {
    index = text[0] == '-' || text[0] == '+' ? 1 : 0;
    if (text.size() > index + 1 && text[index] == '0' && (text[index + 1] | 32) == 'x') index += 2;
  }
  text.insert(index, layout.width - text.size(), layout.fill);
}

template <char Kind>
void number_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  const Layout layout = layout_of(machine, call, true);
  if (!layout.good) return;
  Value number = call.argument(1);
  if (Kind == 'f')
    number.bits =
        std::bit_cast<Word>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))));
  Printed out;
  if (Kind == 'b' && (layout.flags & kBoolalpha) != 0)
    out.text = (number.bits & 1) != 0 ? "true" : "false", out.known = number.known();
  else
    out = print(machine, call, format_of(layout, Kind == 'f' ? 'g' : Kind == 'b' ? 'd' : Kind), std::span(&number, 1));
  out.known = out.known && layout.known;
  pad_number(layout, out.text);
  const Buffer buffer = buffer_of(machine, call.argument(0));
  if (!out.known && buffer.file != nullptr) buffer.file->guessed = true;
  put(machine, call, buffer, {out.text.size(), out.known ? &out.text : nullptr});
  finish(machine, call, layout);
}

// out << in.rdbuf(): buffer by buffer.
void copy_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  const Layout layout = layout_of(machine, call, false);
  if (!layout.good) return;
  const Buffer from = buffer_at(machine, call.argument(1)), to = buffer_of(machine, call.argument(0));
  Word copied = 0;
  while (more(machine, call, from)) {
    const Word here = from.file != nullptr ? from.file->left : look_ahead(machine, from, 0).rest;
    const Ahead ahead = look_ahead(machine, from, here);
    const Piece piece{here, ahead.told ? &ahead.text : nullptr};
    if (here == 1)
      put_character(machine, call, to,
                    ahead.told ? Value::of(static_cast<Word>(static_cast<unsigned char>(ahead.text[0])))
                               : machine.unknown(call.at, "a character"));
    else put(machine, call, to, piece);
    copied += consume(machine, call, from, here);
  }
  if (copied == 0) add_state(machine, call, call.argument(0), kFailed);
  finish(machine, call, layout);
}

void seek_to_model(Machine& machine, Call& call) { seek_stream(machine, call, kOutput); }
void tell_model(Machine& machine, Call& call) { tell_stream(machine, call, kOutput); }

constexpr NamedModel kCppStreamsModels[] = {
    {"_ZNSt8ios_baseC2Ev", succeeds},
    {"_ZNSt8ios_baseD2Ev", succeeds},
    {"_ZNSt8ios_base15sync_with_stdioEb", succeeds},
    {"_ZNSt6localeD1Ev", succeeds},
    {"_ZNSt6localeC1Ev", succeeds},
    {"_ZNSt6localeC1ERKS_", succeeds},
    {"_ZNSt8ios_base4InitC1Ev", succeeds},
    {"_ZNSo5writeEPKcl", write_model},
    {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", insert_model},
    {"_ZNSo3putEc", put_model},
    {"_ZNSo5flushEv", flush_model},
    {"_ZNSolsEi", number_model<'d'>},
    {"_ZNSolsEs", number_model<'d'>},
    {"_ZNSolsEj", number_model<'u'>},
    {"_ZNSolsEt", number_model<'u'>},
    {"_ZNSolsEl", number_model<'l'>},
    {"_ZNSolsEx", number_model<'l'>},
    {"_ZNSolsEm", number_model<'m'>},
    {"_ZNSolsEy", number_model<'m'>},
    {"_ZNSolsEb", number_model<'b'>},
    {"_ZNSolsEd", number_model<'g'>},
    {"_ZNSolsEf", number_model<'f'>},
    {"_ZNSo9_M_insertIlEERSoT_", number_model<'l'>},
    {"_ZNSo9_M_insertImEERSoT_", number_model<'m'>},
    {"_ZNSo9_M_insertIxEERSoT_", number_model<'l'>},
    {"_ZNSo9_M_insertIyEERSoT_", number_model<'m'>},
    {"_ZNSo9_M_insertIbEERSoT_", number_model<'b'>},
    {"_ZNSo9_M_insertIdEERSoT_", number_model<'g'>},
    {"_ZNSo9_M_insertIPKvEERSoT_", number_model<'p'>},
    {"_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE", copy_model},
    {"_ZNSo5seekpESt4fposI11__mbstate_tE", seek_to_model},
    {"_ZNSo5seekpElSt12_Ios_Seekdir", seek_to_model},
    {"_ZNSo5tellpEv", tell_model},
};

}  // namespace

std::span<const NamedModel> cpp_stream_models() { return kCppStreamsModels; }

}  // namespace trikal::predict
