// What C++ programs take from streams: words, numbers, lines, characters, blocks.

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kAssumedWord = 8;  // bytes of a number with what is around it, where nobody knows them
constexpr Word kCountInStream = 8;  // where an input stream keeps how much was read
constexpr Word kOct = 64, kHex = 8, kDec = 2, kSkipsBlanks = 4096;
constexpr std::string_view kBlanks = " \t\n\v\f\r";

void set_count(Machine& machine, const Call& call, Word count) {
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits + kCountInStream, 8, Value::of(count));
}

// Whether the stream is good for another look: what it is tied to is flushed, a stream that has ended fails.
bool ready(Machine& machine, const Call& call) {
  if (state_of(machine, call.argument(0)) != 0) return add_state(machine, call, call.argument(0), kFailed), false;
  flush_tied(machine, call, call.argument(0));
  return true;
}

Word flags_of(Machine& machine, const Call& call) {
  const auto ios = ios_of(machine, call.argument(0));
  return ios ? machine.memory.load(*ios + kFlagsInIos, 4).bits : kSkipsBlanks | kDec;
}

struct Token {
  bool ready = false;  // there was something behind the blanks
  bool told = false;
  std::string text;
};

// Takes what `length_of` accepts behind blanks. `looks_behind`: the character after it is looked at, and may be the end.
template <class Length>
Token take_token(Machine& machine, Call& call, bool looks_behind, Length length_of) {
  Token out;
  call.returns(call.argument(0));
  if (!ready(machine, call)) return out;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  Ahead ahead = look_ahead(machine, buffer);
  if (!ahead.told) {
    not_read(machine, call, buffer);
    if (buffer.file != nullptr) buffer.file->guessed = true;
    out.ready = consume(machine, call, buffer, kAssumedWord) > 0;
    if (!out.ready) (void)more(machine, call, buffer), add_state(machine, call, call.argument(0), kEnd | kFailed);
    return out;
  }
  out.told = true;
  std::size_t begin = 0;
  if ((flags_of(machine, call) & kSkipsBlanks) != 0)
    while ((begin = std::min(ahead.text.find_first_not_of(kBlanks), ahead.text.size())) == ahead.text.size() &&
           begin < ahead.rest) {
      consume(machine, call, buffer, begin);
      ahead = look_ahead(machine, buffer);
    }
  out.ready = begin < ahead.text.size();
  const std::size_t length = out.ready ? length_of(ahead.text.substr(begin)) : 0;
  consume(machine, call, buffer, begin + length);
  out.text = ahead.text.substr(begin, length);
  const bool looks = looks_behind || length == 0;
  const bool ended = begin + length == ahead.rest;
  if (looks) (void)more(machine, call, buffer);
  if ((ended && looks) || length == 0)
    add_state(machine, call, call.argument(0), (ended && looks ? kEnd : 0) | (length == 0 ? kFailed : 0));
  return out;
}

std::size_t digits_of(const std::string& text, int base) {
  std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const std::size_t sign = at;
  if (base != 10 && text.size() > at + 1 && text[at] == '0' && (text[at + 1] | 32) == 'x' && base != 8) at += 2;
  const std::string_view digits = base == 8                 ? "01234567"
                                  : base == 16 || at > sign ? "0123456789abcdefABCDEF"
                                                            : "0123456789";
  at = std::min(text.find_first_not_of(digits, at), text.size());
  return at;
}
// What is gathered before anybody looks whether it makes a number.
std::size_t real_of(const std::string& text) {
  bool point = false, exponent = false, digit = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) digit = true;
    else if ((c == '-' || c == '+') && (at == 0 || (text[at - 1] | 32) == 'e')) continue;
    else if (c == '.' && !point && !exponent) point = true;
    else if ((c | 32) == 'e' && digit && !exponent) exponent = true;
    else break;
  }
  return at;
}

void store_number(Machine& machine, const Call& call, unsigned bytes, const Token& token, Value number) {
  const Value where = call.argument(1);
  if (!where.known() || !token.ready) return;
  if (token.told) machine.memory.store(where.bits, bytes, number);
  else machine.memory.forget(where.bits, bytes, machine.unknown(call.at, "a number that was read").cause);
}

template <class Integer>
void integer_model(Machine& machine, Call& call) {
  const Word flags = flags_of(machine, call);
  const int base = (flags & kHex) != 0 ? 16 : (flags & kOct) != 0 ? 8 : (flags & kDec) != 0 ? 10 : 0;
  const Token token =
      take_token(machine, call, true, [base](const std::string& text) { return digits_of(text, base); });
  using Limits = std::numeric_limits<Integer>;
  errno = 0;
  char* end = nullptr;
  Integer number = 0;
  bool fits = true;
  if constexpr (Limits::is_signed) {
    const long long value = std::strtoll(token.text.c_str(), &end, base);
    fits =
        errno == 0 && value >= static_cast<long long>(Limits::min()) && value <= static_cast<long long>(Limits::max());
    number = fits ? static_cast<Integer>(value) : value < 0 ? Limits::min() : Limits::max();
  } else {
    const unsigned long long value = std::strtoull(token.text.c_str(), &end, base);
    fits = errno == 0 && (token.text.starts_with('-') || value <= Limits::max());
    number = fits ? static_cast<Integer>(value) : Limits::max();
  }
  if (token.ready && token.told && (!fits || end == token.text.c_str()))
    add_state(machine, call, call.argument(0), kFailed);
  store_number(machine, call, sizeof number, token, Value::of(lowest(static_cast<Word>(number), 8 * sizeof number)));
}

template <class Real>
void real_model(Machine& machine, Call& call) {
  const Token token = take_token(machine, call, true, real_of);
  char* end = nullptr;
  const Real number = static_cast<Real>(std::strtod(token.text.c_str(), &end));
  if (token.ready && token.told && *end != 0) add_state(machine, call, call.argument(0), kFailed);
  Word bits = 0;
  std::copy_n(reinterpret_cast<const char*>(&number), sizeof number, reinterpret_cast<char*>(&bits));
  store_number(machine, call, sizeof number, token, Value::of(bits));
}

void string_model(Machine& machine, Call& call) {
  const auto ios = ios_of(machine, call.argument(0));
  const Word width = ios ? machine.memory.load(*ios + kWidthInIos, 8).bits : 0;
  if (ios && width != 0) machine.memory.store(*ios + kWidthInIos, 8, Value::of(Word{0}));
  const Token token = take_token(machine, call, width == 0, [width](const std::string& text) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    return width > 0 ? std::min<std::size_t>(end, width) : end;
  });
  if (token.ready)
    write_string(machine, call, call.argument(1), token.told ? token.text : std::string(kAssumedWord - 1, 'x'),
                 token.told);
}

void character_model(Machine& machine, Call& call) {
  const Token token = take_token(machine, call, false, [](const std::string&) { return std::size_t{1}; });
  const Word c = token.told && !token.text.empty() ? static_cast<unsigned char>(token.text[0]) : 0;
  store_number(machine, call, 1, token, Value::of(c));
}

void blanks_model(Machine& machine, Call& call) {  // std::ws
  call.returns(call.argument(0));
  if (!ready(machine, call)) return;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  while (more(machine, call, buffer)) {
    const Ahead ahead = look_ahead(machine, buffer);
    if (!ahead.told) not_read(machine, call, buffer);
    const std::size_t blanks = ahead.told ? std::min(ahead.text.find_first_not_of(kBlanks), ahead.text.size()) : 0;
    consume(machine, call, buffer, blanks);
    if (blanks < ahead.text.size() || blanks == 0) return;
  }
  add_state(machine, call, call.argument(0), kEnd);
}

// One character, blank or not; nothing at the end.
std::optional<Value> next_character(Machine& machine, const Call& call, bool stays) {
  set_count(machine, call, 0);
  if (!ready(machine, call)) return std::nullopt;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  const Ahead ahead = look_ahead(machine, buffer, 1);
  if (!more(machine, call, buffer))
    return add_state(machine, call, call.argument(0), stays ? kEnd : kEnd | kFailed), std::nullopt;
  if (!stays) consume(machine, call, buffer, 1), set_count(machine, call, 1);
  if (!ahead.told || ahead.text.empty()) return machine.unknown_character(call.at, "a character that was read");
  return Value::of(static_cast<Word>(static_cast<unsigned char>(ahead.text[0])));
}
template <bool Stays>
void get_model(Machine& machine, Call& call) {
  call.returns(next_character(machine, call, Stays).value_or(Value::of(lowest(~Word{0}, 32))));
}
void get_into_model(Machine& machine, Call& call) {
  const std::optional<Value> found = next_character(machine, call, false);
  call.returns(call.argument(0));
  if (found && call.argument(1).known()) machine.memory.store(call.argument(1).bits, 1, *found);
}
void unget_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  set_state(machine, call.argument(0), state_of(machine, call.argument(0)) & ~kEnd);
  if (ready(machine, call)) give_back(machine, buffer_of(machine, call.argument(0)));
}

// Bytes up to and with a delimiter; all that is left, where there is none. The rest is looked at piece by piece.
struct Line {
  bool told = false, found = false;
  std::string text;
};
Line line_ahead(Machine& machine, const Buffer& buffer, char delimiter) {
  Line out;
  for (Word window = 1024;; window *= 8) {
    Ahead ahead = look_ahead(machine, buffer, window);
    out.told = ahead.told;
    if (!ahead.told) return out;
    const std::size_t end = ahead.text.find(delimiter);
    out.found = end != std::string::npos;
    if (!out.found && window < ahead.rest) continue;
    out.text = ahead.text.substr(0, out.found ? end + 1 : ahead.text.size());
    return out;
  }
}

std::string name_behind(Machine& machine, const Buffer& buffer) {
  const Opened* one = buffer.file != nullptr ? machine.world.at(buffer.file->descriptor) : buffer.standard;
  return one != nullptr ? machine.world.files[one->file].name : "a stream";
}

void getline_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  if (!ready(machine, call)) return;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  Line line = line_ahead(machine, buffer, static_cast<char>(call.argument(2).known() ? call.argument(2).bits : '\n'));
  if (!line.told) {
    not_read(machine, call, buffer);
    if (buffer.file != nullptr) buffer.file->guessed = true;
    machine.note("lines of " + name_behind(machine, buffer) + " are assumed to be " +
                 std::to_string(machine.setting.line_bytes) + " bytes long");
  }
  const Word length = line.told ? line.text.size() + (line.found ? 0 : 1) : machine.setting.line_bytes;
  const Word got = consume(machine, call, buffer, length);
  if (line.told && line.found) line.text.pop_back();
  if (!line.told) line.text.assign(got < length ? got : length - 1, 'x');
  write_string(machine, call, call.argument(1), line.text, line.told);
  if (got < length) add_state(machine, call, call.argument(0), got == 0 ? kEnd | kFailed : kEnd);
}

// getline and get of characters: (stream, where to, how many with the NUL, delimiter)
template <bool Takes>
void line_into_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  set_count(machine, call, 0);
  const Value to = call.argument(1), most = call.argument(2);
  if (!ready(machine, call) || !to.known() || !most.known() || most.bits == 0) return;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  Line line = line_ahead(machine, buffer, static_cast<char>(call.arguments.size() > 3 ? call.argument(3).bits : '\n'));
  if (!line.told) not_read(machine, call, buffer);
  if (!line.told)
    line.text.assign(std::min<Word>(machine.setting.line_bytes, look_ahead(machine, buffer, 0).rest), 'x');
  const bool ends = line.told && line.found;
  std::string text = line.text.substr(0, line.text.size() - (ends ? 1 : 0));
  const bool cut = text.size() >= most.bits;
  text.resize(std::min<std::size_t>(text.size(), most.bits - 1));
  Word count = consume(machine, call, buffer, text.size());
  const bool over = !cut && !ends && !more(machine, call, buffer);
  if (Takes && ends && !cut) count += consume(machine, call, buffer, 1);
  set_count(machine, call, count);
  if (line.told) machine.memory.write(to.bits, text.c_str(), text.size() + 1);
  else machine.memory.forget(to.bits, text.size() + 1, machine.unknown(call.at, "a line that was read").cause);
  add_state(machine, call, call.argument(0), (over ? kEnd : 0) | (count == 0 || (Takes && cut) ? kFailed : 0));
}

void read_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  set_count(machine, call, 0);
  const Value bytes = call.argument(2);
  if (!bytes.known() || !ready(machine, call)) return;
  const Word got = consume_into(machine, call, buffer_of(machine, call.argument(0)), call.argument(1), bytes.bits);
  set_count(machine, call, got);
  if (got < bytes.bits) add_state(machine, call, call.argument(0), kEnd | kFailed);
}

void ignore_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  set_count(machine, call, 0);
  if (!ready(machine, call)) return;
  const Buffer buffer = buffer_of(machine, call.argument(0));
  const Value most = call.arguments.size() > 1 ? call.argument(1) : Value::of(Word{1});
  const bool delimited = call.arguments.size() > 2 && lowest(call.argument(2).bits, 32) != 0xffffffff;
  const bool endless = most.bits == static_cast<Word>(std::numeric_limits<std::int64_t>::max());
  Word bytes = most.known() ? most.bits : 1;
  const Word rest = look_ahead(machine, buffer, 0).rest;
  if (delimited) {
    const Line line = line_ahead(machine, buffer, static_cast<char>(call.argument(2).bits));
    if (!line.told) not_read(machine, call, buffer);
    if (!line.told && buffer.file != nullptr) buffer.file->guessed = true;
    bytes = std::min<Word>(bytes, !line.told ? machine.setting.line_bytes : line.text.size() + (line.found ? 0 : 1));
  } else if (endless) {
    bytes = rest + 1;
  }
  const Word got = consume(machine, call, buffer, bytes);
  set_count(machine, call, got);
  if (got < bytes) add_state(machine, call, call.argument(0), kEnd);
}

void seek_model(Machine& machine, Call& call) {
  set_state(machine, call.argument(0), state_of(machine, call.argument(0)) & ~kEnd);
  seek_stream(machine, call, kInput);
}
void tell_model(Machine& machine, Call& call) {
  (void)ready(machine, call);  // a stream at its end fails
  tell_stream(machine, call, kInput);
}

constexpr NamedModel kCppInputModels[] = {
    {"_ZNSirsERi", integer_model<int>},
    {"_ZNSirsERs", integer_model<short>},
    {"_ZNSi10_M_extractIlEERSiRT_", integer_model<long>},
    {"_ZNSi10_M_extractImEERSiRT_", integer_model<unsigned long>},
    {"_ZNSi10_M_extractIxEERSiRT_", integer_model<long>},
    {"_ZNSi10_M_extractIyEERSiRT_", integer_model<unsigned long>},
    {"_ZNSi10_M_extractIjEERSiRT_", integer_model<unsigned>},
    {"_ZNSi10_M_extractItEERSiRT_", integer_model<unsigned short>},
    {"_ZNSi10_M_extractIbEERSiRT_", integer_model<bool>},
    {"_ZNSi10_M_extractIdEERSiRT_", real_model<double>},
    {"_ZNSi10_M_extractIfEERSiRT_", real_model<float>},
    {"_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_", character_model},
    {"_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
     string_model},
    {"_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_",
     getline_model},
    {"_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_", blanks_model},
    {"_ZNSi7getlineEPclc", line_into_model<true>},
    {"_ZNSi7getlineEPcl", line_into_model<true>},
    {"_ZNSi3getEPclc", line_into_model<false>},
    {"_ZNSi3getEPcl", line_into_model<false>},
    {"_ZNSi4readEPcl", read_model},
    {"_ZNSi3getEv", get_model<false>},
    {"_ZNSi4peekEv", get_model<true>},
    {"_ZNSi3getERc", get_into_model},
    {"_ZNSi5ungetEv", unget_model},
    {"_ZNSi7putbackEc", unget_model},
    {"_ZNSi6ignoreEv", ignore_model},
    {"_ZNSi6ignoreEl", ignore_model},
    {"_ZNSi6ignoreEli", ignore_model},
    {"_ZNSi5seekgESt4fposI11__mbstate_tE", seek_model},
    {"_ZNSi5seekgElSt12_Ios_Seekdir", seek_model},
    {"_ZNSi5tellgEv", tell_model},
};

}  // namespace

std::span<const NamedModel> cpp_input_models() { return kCppInputModels; }

}  // namespace trikal::predict
