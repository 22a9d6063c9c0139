// Text and blocks of memory.

#include <algorithm>
#include <array>
#include <cstring>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

Value comparison(int sign) { return Value::of(lowest(static_cast<Word>(static_cast<std::int64_t>(sign)), 32)); }

// What a text has in it decides the result: of an address that moves nobody knows what comes next, so iterations of a loop are
// like each other only where they look at the same address and find the same.
void returns_by_text(Machine& machine, Call& call, Word location, Value result) {
  without_pattern(machine, call, location * 31 + result.bits);
  call.returns(result);
}

struct Found {
  Word at = kNowhere;
  Cause cause = kKnown;  // a byte before it is not known
  static constexpr Word kNowhere = ~Word{0};
};
constexpr Word kNoLimit = Word{1} << 30;

// The first byte that is wanted. Piece by piece: what is looked for is near as a rule, and the text long.
template <class Is>
Found first_byte(Machine& machine, Word from, Word most, Is is) {
  std::array<char, 4096> piece;  // NOLINT: filled by read
  Word size = 64;
  for (Word at = 0; at < most;) {
    const Word count = std::min(size, most - at);
    if (machine.memory.read(from + at, piece.data(), count)) {
      for (Word i = 0; i < count; ++i)
        if (is(piece[i])) return {at + i};
      at += count;
      size = std::min<Word>(2 * size, piece.size());
    } else if (count > 1) {
      size = count / 2;
    } else {
      return {Found::kNowhere, machine.memory.load(from + at, 1).cause};
    }
  }
  return {};
}
bool is_end(char byte) { return byte == 0; }
bool is_in(const std::string& set, char byte) { return set.find(byte) != std::string::npos; }

void strlen_model(Machine& machine, Call& call) {
  const Value text = call.argument(0);
  if (!text.known()) return call.returns(text);
  const Found end = first_byte(machine, text.bits, kNoLimit, is_end);
  if (end.cause != kKnown) return call.returns(Value::unknown(end.cause));
  returns_by_text(machine, call, text.bits, Value::of(end.at));
}

// Up to its end, but not more than `most` bytes: the text behind may be long.
bool beginning(Machine& machine, Value text, Word most, std::string& out) {
  if (!text.known() || text.bits == 0) return false;
  const Found end = first_byte(machine, text.bits, most, is_end);
  if (end.cause != kKnown) return false;
  out.resize(std::min(end.at, most));
  return machine.memory.read(text.bits, out.data(), out.size());
}

// How two texts compare is decided within the shorter one and the byte behind it.
template <class Compare>
void compare_texts(Machine& machine, Call& call, Compare compare, Word most = kNoLimit) {
  constexpr Word kShort = 256;
  std::string a, b;
  bool known = beginning(machine, call.argument(0), std::min(kShort, most), a);
  known = known && beginning(machine, call.argument(1), std::min(a.size() < kShort ? a.size() + 1 : kNoLimit, most), b);
  if (known && a.size() == kShort) known = beginning(machine, call.argument(0), std::min<Word>(b.size() + 1, most), a);
  if (!known) return call.returns(machine.unknown(call.at, "how two texts compare"));
  returns_by_text(machine, call, call.argument(0).bits * 31 + call.argument(1).bits, comparison(compare(a, b)));
}
void strcmp_model(Machine& machine, Call& call) {
  compare_texts(machine, call, [](const std::string& a, const std::string& b) { return a.compare(b); });
}
void strncmp_model(Machine& machine, Call& call) {
  const Word n = call.argument(2).bits;
  compare_texts(
      machine, call, [n](const std::string& a, const std::string& b) { return std::strncmp(a.c_str(), b.c_str(), n); },
      n);
}
void strcasecmp_model(Machine& machine, Call& call) {
  compare_texts(machine, call,
                [](const std::string& a, const std::string& b) { return ::strcasecmp(a.c_str(), b.c_str()); });
}
void strncasecmp_model(Machine& machine, Call& call) {
  const Word n = call.argument(2).bits;
  compare_texts(
      machine, call, [n](const std::string& a, const std::string& b) { return ::strncasecmp(a.c_str(), b.c_str(), n); },
      n);
}

void memcmp_model(Machine& machine, Call& call) {
  const Value n = call.argument(2);
  if (n.known() && n.bits <= 1 << 20 && call.argument(0).known() && call.argument(1).known()) {
    std::string a(n.bits, 0), b(n.bits, 0);
    if (machine.memory.read(call.argument(0).bits, a.data(), n.bits) &&
        machine.memory.read(call.argument(1).bits, b.data(), n.bits))
      return returns_by_text(machine, call, call.argument(0).bits * 31 + call.argument(1).bits,
                             comparison(std::memcmp(a.data(), b.data(), n.bits)));
  }
  call.returns(machine.unknown(call.at, "how two blocks of memory compare"));
}

void put_text(Machine& machine, Call& call, Word where, const std::string* text, bool end) {
  if (text != nullptr) machine.memory.write(where, text->c_str(), text->size() + (end ? 1 : 0));
  else machine.memory.forget(where, 64, machine.unknown(call.at, "a text that was copied").cause);
}

void copy_text(Machine& machine, Call& call, bool append, bool bounded) {
  std::string text, before;
  const bool known = text_argument(machine, call, 1, text);
  const Value to = call.argument(0);
  call.returns(to);
  if (!to.known()) return;
  if (bounded && call.argument(2).known()) {
    const Word n = call.argument(2).bits;
    if (append || text.size() >= n) text.resize(std::min<std::size_t>(text.size(), n));
    else if (n < 1 << 20) text.resize(n, '\0');
  }
  if (append && !machine.memory.text(to.bits, before)) return;
  const bool end = append || !bounded || text.size() < call.argument(2).bits;
  machine.wrote_text(call, to.bits + before.size(), text.size());
  put_text(machine, call, to.bits + before.size(), known ? &text : nullptr, end);
}
void strcpy_model(Machine& machine, Call& call) { copy_text(machine, call, false, false); }
void strncpy_model(Machine& machine, Call& call) { copy_text(machine, call, false, true); }
void strcat_model(Machine& machine, Call& call) { copy_text(machine, call, true, false); }
void strncat_model(Machine& machine, Call& call) { copy_text(machine, call, true, true); }
void stpcpy_model(Machine& machine, Call& call) {
  std::string text;
  const bool known = text_argument(machine, call, 1, text);
  copy_text(machine, call, false, false);
  call.returns(known ? Value::of(call.argument(0).bits + text.size()) : machine.unknown(call.at, "the end of a text"));
}

template <class Find>
void find_in_text(Machine& machine, Call& call, Find find) {
  std::string text;
  if (!text_argument(machine, call, 0, text)) return call.returns(machine.unknown(call.at, "a position in a text"));
  const std::size_t at = find(text);
  const Word index = call.argument(0).bits;
  returns_by_text(machine, call, index, Value::of(at == std::string::npos ? 0 : index + at));
}

enum class Ends : std::uint8_t { kNowhere, kAtZero, kIsZero };  // where a search ends that finds nothing

void find_byte(Machine& machine, Call& call, Word most, Ends ends) {
  const Value text = call.argument(0), byte = call.argument(1);
  if (!text.known() || !byte.known()) return call.returns(text.known() ? byte : text);
  const auto wanted = static_cast<char>(byte.bits);
  const Found found = first_byte(machine, text.bits, most,
                                 [&](char one) { return one == wanted || (one == 0 && ends != Ends::kNowhere); });
  if (found.cause != kKnown) return call.returns(Value::unknown(found.cause));
  bool there = found.at != Found::kNowhere;
  if (there && ends == Ends::kAtZero) there = machine.memory.load(text.bits + found.at, 1).bits == lowest(byte.bits, 8);
  returns_by_text(machine, call, text.bits, Value::of(there ? text.bits + found.at : 0));
}
void strchr_model(Machine& machine, Call& call) { find_byte(machine, call, kNoLimit, Ends::kAtZero); }
void rawmemchr_model(Machine& machine, Call& call) { find_byte(machine, call, kNoLimit, Ends::kNowhere); }
void strchrnul_model(Machine& machine, Call& call) { find_byte(machine, call, kNoLimit, Ends::kIsZero); }
void memchr_model(Machine& machine, Call& call) {
  const Value n = call.argument(2);
  if (!n.known()) return call.returns(n);
  find_byte(machine, call, n.bits, Ends::kNowhere);
}
void strrchr_model(Machine& machine, Call& call) {
  const auto wanted = static_cast<char>(call.argument(1).bits);
  find_in_text(machine, call,
               [wanted](const std::string& text) { return wanted == 0 ? text.size() : text.rfind(wanted); });
}
void strstr_model(Machine& machine, Call& call) {
  std::string wanted;
  if (!text_argument(machine, call, 1, wanted)) return call.returns(machine.unknown(call.at, "a text in a text"));
  find_in_text(machine, call, [&](const std::string& text) { return text.find(wanted); });
}
void span_of(Machine& machine, Call& call, bool in) {
  const Value text = call.argument(0);
  std::string set;
  if (!text.known() || !text_argument(machine, call, 1, set))
    return call.returns(machine.unknown(call.at, "a part of a text"));
  const Found end =
      first_byte(machine, text.bits, kNoLimit, [&](char one) { return one == 0 || is_in(set, one) != in; });
  if (end.cause != kKnown) return call.returns(Value::unknown(end.cause));
  returns_by_text(machine, call, text.bits, Value::of(end.at));
}
void strspn_model(Machine& machine, Call& call) { span_of(machine, call, true); }
void strcspn_model(Machine& machine, Call& call) { span_of(machine, call, false); }

void strdup_model(Machine& machine, Call& call) {
  std::string text;
  const bool known = text_argument(machine, call, 0, text);
  const Word to = machine.world.take(known ? text.size() + 1 : 64);
  put_text(machine, call, to, known ? &text : nullptr, true);
  call.returns(Value::of(to));
}

// Where the next word begins is kept in memory of its own, as libc does, or where the caller says.
void strtok_model(Machine& machine, Call& call) {
  constexpr Word kOwn = Word{1} << 47;
  const bool told = call.arguments.size() > 2;
  const Word state = told ? call.argument(2).bits : kOwn;
  std::string set;
  Value from = call.argument(0);
  if (told && !call.argument(2).known()) return call.returns(call.argument(2));
  if (from.known() && from.bits == 0) from = machine.memory.load(state, 8);
  if (!from.known() || !text_argument(machine, call, 1, set))
    return call.returns(machine.unknown(call.at, "a word of a text"));
  if (from.bits == 0) return call.returns(Value::of(Word{0}));
  const Found begin = first_byte(machine, from.bits, kNoLimit, [&](char one) { return !is_in(set, one); });
  if (begin.cause != kKnown) return call.returns(Value::unknown(begin.cause));
  const Word word = from.bits + begin.at;
  const Found length = first_byte(machine, word, kNoLimit, [&](char one) { return one == 0 || is_in(set, one); });
  if (length.cause != kKnown) return call.returns(Value::unknown(length.cause));
  if (length.at == 0) return returns_by_text(machine, call, from.bits, Value::of(Word{0}));  // nothing but separators
  const Word end = word + length.at;
  const bool last = machine.memory.load(end, 1).bits == 0;
  if (!last) machine.memory.store(end, 1, Value::of(Word{0}));
  machine.memory.store(state, 8, Value::of(last ? 0 : end + 1));
  returns_by_text(machine, call, from.bits, Value::of(word));
}

void memcpy_model(Machine& machine, Call& call) {
  const Value to = call.argument(0), from = call.argument(1), n = call.argument(2);
  call.returns(to);
  if (!to.known()) return;
  if (from.known() && n.known()) machine.memory.copy(to.bits, from.bits, n.bits);
  else machine.forget_behind(call, to, "a copy of something that is not known");
}
void memset_model(Machine& machine, Call& call) {
  const Value to = call.argument(0), byte = call.argument(1), n = call.argument(2);
  call.returns(to);
  if (to.known() && byte.known() && n.known())
    machine.memory.fill(to.bits, n.bits, static_cast<std::uint8_t>(byte.bits));
}
void bzero_model(Machine& machine, Call& call) {
  if (call.argument(0).known() && call.argument(1).known())
    machine.memory.fill(call.argument(0).bits, call.argument(1).bits, 0);
}

void mempcpy_model(Machine& machine, Call& call) {
  memcpy_model(machine, call);
  const Value n = call.argument(2);
  call.returns(call.argument(0).known() && n.known() ? Value::of(call.argument(0).bits + n.bits) : n);
}
void strndup_model(Machine& machine, Call& call) {
  std::string text;
  const bool known = text_argument(machine, call, 0, text) && call.argument(1).known();
  if (known) text.resize(std::min<std::size_t>(text.size(), call.argument(1).bits));
  const Word to = machine.world.take(known ? text.size() + 1 : 64);
  put_text(machine, call, to, known ? &text : nullptr, true);
  call.returns(Value::of(to));
}
void strnlen_model(Machine& machine, Call& call) {
  const Value text = call.argument(0), most = call.argument(1);
  if (!text.known() || !most.known()) return call.returns(text.known() ? most : text);
  const Found end = first_byte(machine, text.bits, most.bits, is_end);
  if (end.cause != kKnown) return call.returns(Value::unknown(end.cause));
  returns_by_text(machine, call, text.bits, Value::of(std::min(end.at, most.bits)));
}
void strpbrk_model(Machine& machine, Call& call) {
  std::string set;
  if (!text_argument(machine, call, 1, set)) return call.returns(machine.unknown(call.at, "a position in a text"));
  find_in_text(machine, call, [&](const std::string& text) { return text.find_first_of(set); });
}
void strcasestr_model(Machine& machine, Call& call) {
  std::string wanted;
  if (!text_argument(machine, call, 1, wanted)) return call.returns(machine.unknown(call.at, "a text in a text"));
  find_in_text(machine, call, [&](const std::string& text) -> std::size_t {
    const char* found = ::strcasestr(text.c_str(), wanted.c_str());
    return found == nullptr ? std::string::npos : static_cast<std::size_t>(found - text.c_str());
  });
}
void strsep_model(Machine& machine, Call& call) {  // where the rest of the text is told, the separators
  std::string set;
  const Value from = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 8) : call.argument(0);
  if (from.known() && from.bits == 0) return call.returns(from);
  if (!from.known() || !text_argument(machine, call, 1, set))
    return call.returns(machine.unknown(call.at, "a word of a text"));
  const Found length = first_byte(machine, from.bits, kNoLimit, [&](char one) { return one == 0 || is_in(set, one); });
  if (length.cause != kKnown) return call.returns(Value::unknown(length.cause));
  const Word end = from.bits + length.at;
  const bool last = machine.memory.load(end, 1).bits == 0;
  if (!last) machine.memory.store(end, 1, Value::of(Word{0}));
  machine.memory.store(call.argument(0).bits, 8, Value::of(last ? 0 : end + 1));
  returns_by_text(machine, call, from.bits, from);
}

constexpr NamedModel kStringsModels[] = {
    {"strlen", strlen_model},
    {"strcmp", strcmp_model},
    {"strncmp", strncmp_model},
    {"strcasecmp", strcasecmp_model},
    {"strncasecmp", strncasecmp_model},
    {"memcmp", memcmp_model},
    {"bcmp", memcmp_model},
    {"strcpy", strcpy_model},
    {"strncpy", strncpy_model},
    {"strcat", strcat_model},
    {"strncat", strncat_model},
    {"stpcpy", stpcpy_model},
    {"strchr", strchr_model},
    {"index", strchr_model},
    {"rindex", strrchr_model},
    {"strrchr", strrchr_model},
    {"strstr", strstr_model},
    {"strspn", strspn_model},
    {"strcspn", strcspn_model},
    {"strdup", strdup_model},
    {"__strdup", strdup_model},
    {"strtok", strtok_model},
    {"strtok_r", strtok_model},
    {"__strtok_r", strtok_model},
    {"memchr", memchr_model},
    {"strndup", strndup_model},
    {"strnlen", strnlen_model},
    {"strpbrk", strpbrk_model},
    {"strsep", strsep_model},
    {"rawmemchr", rawmemchr_model},
    {"mempcpy", mempcpy_model},
    {"strchrnul", strchrnul_model},
    {"strcasestr", strcasestr_model},
    {"memcpy", memcpy_model},
    {"memmove", memcpy_model},
    {"memset", memset_model},
    {"bzero", bzero_model},
};

}  // namespace

std::span<const NamedModel> string_models() { return kStringsModels; }

}  // namespace trikal::predict
