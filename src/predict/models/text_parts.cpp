// Parts of text and of memory that are looked for, and patterns.

#include <fnmatch.h>
#include <regex.h>

#include <cstring>
#include <map>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMost = Word{1} << 20;

bool bytes_argument(Machine& machine, const Call& call, std::size_t index, std::size_t size, std::string& out) {
  const Value at = call.argument(index), bytes = call.argument(size);
  if (!at.known() || !bytes.known() || bytes.bits > kMost) return false;
  out.resize(bytes.bits);
  return machine.memory.read(at.bits, out.data(), out.size());
}
void found(Machine& machine, Call& call, std::size_t at) {
  without_pattern(machine, call, at);
  follows(machine, call, at == std::string::npos ? 0 : call.argument(0).bits + at);
}
void not_known(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "a part of a text")); }

void memmem_model(Machine& machine, Call& call) {
  std::string text, wanted;
  if (!bytes_argument(machine, call, 0, 1, text) || !bytes_argument(machine, call, 2, 3, wanted))
    return not_known(machine, call);
  found(machine, call, text.find(wanted));
}
void memrchr_model(Machine& machine, Call& call) {
  std::string text;
  if (!bytes_argument(machine, call, 0, 2, text) || !call.argument(1).known()) return not_known(machine, call);
  found(machine, call, text.rfind(static_cast<char>(call.argument(1).bits)));
}
// A copy that ends behind a given byte.
void memccpy_model(Machine& machine, Call& call) {
  std::string text;
  if (!bytes_argument(machine, call, 1, 3, text) || !call.argument(0).known() || !call.argument(2).known())
    return not_known(machine, call);
  const std::size_t at = text.find(static_cast<char>(call.argument(2).bits));
  const std::size_t count = at == std::string::npos ? text.size() : at + 1;
  machine.memory.write(call.argument(0).bits, text.data(), count);
  found(machine, call, at == std::string::npos ? at : count);
}
void stpncpy_model(Machine& machine, Call& call) {
  std::string text;
  const Value to = call.argument(0), most = call.argument(2);
  if (!text_argument(machine, call, 1, text) || !to.known() || !most.known() || most.bits > kMost)
    return not_known(machine, call);
  const std::size_t end = std::min<std::size_t>(text.size(), most.bits);
  text.resize(most.bits);
  machine.wrote_text(call, to.bits, end);
  machine.memory.write(to.bits, text.data(), text.size());
  follows(machine, call, to.bits + end);
}
void strverscmp_model(Machine& machine, Call& call) {
  std::string a, b;
  if (!text_argument(machine, call, 0, a) || !text_argument(machine, call, 1, b)) return not_known(machine, call);
  const int order = ::strverscmp(a.c_str(), b.c_str());
  without_pattern(machine, call, static_cast<Word>(order));
  follows(machine, call, lowest(static_cast<Word>(order), 32));
}
void ffs_model(Machine& machine, Call& call) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x);
  const Word bits = call.name == "ffs" ? lowest(x.bits, 32) : x.bits;
  const Word position = bits == 0 ? 0 : static_cast<Word>(std::countr_zero(bits)) + 1;
  without_pattern(machine, call, position);
  follows(machine, call, position);
}

// --- Patterns

void fnmatch_model(Machine& machine, Call& call) {
  std::string pattern, text;
  if (!text_argument(machine, call, 0, pattern) || !text_argument(machine, call, 1, text) || !call.argument(2).known())
    return not_known(machine, call);
  const int result = ::fnmatch(pattern.c_str(), text.c_str(), static_cast<int>(call.argument(2).bits));
  without_pattern(machine, call, static_cast<Word>(result));
  follows(machine, call, lowest(static_cast<Word>(result), 32));
}

// In the program's regex_t are the pattern's text and flags; what was made of them stays with us.
constexpr Word kPattern = 0, kFlags = 8;

struct Compiled {
  regex_t made{};
  int error = 0;
};
Compiled& compiled(const std::string& pattern, int flags) {
  static std::map<std::pair<std::string, int>, Compiled> all;
  const auto [position, fresh] = all.try_emplace({pattern, flags});
  if (fresh) position->second.error = ::regcomp(&position->second.made, pattern.c_str(), flags);
  return position->second;
}
bool pattern_at(Machine& machine, Value where, std::string& pattern, int& flags) {
  const Value text = where.known() ? machine.memory.load(where.bits + kPattern, 8) : where;
  const Value told = where.known() ? machine.memory.load(where.bits + kFlags, 4) : where;
  flags = static_cast<int>(told.bits);
  return text.known() && told.known() && text.bits != 0 && machine.memory.text(text.bits, pattern);
}

void regcomp_model(Machine& machine, Call& call) {
  std::string pattern;
  const Value where = call.argument(0), flags = call.argument(2);
  if (!where.known()) return call.returns(where);
  if (!text_argument(machine, call, 1, pattern) || !flags.known()) {
    machine.memory.forget(where.bits, sizeof(regex_t), machine.unknown(call.at, "a pattern").cause);
    return call.returns(machine.unknown(call.at, "a pattern"));
  }
  const Compiled& one = compiled(pattern, static_cast<int>(flags.bits));
  machine.memory.fill(where.bits, sizeof(regex_t), 0);
  machine.memory.store(where.bits + kPattern, 8, Value::of(lasting_text(machine, pattern)));
  machine.memory.store(where.bits + kFlags, 4, flags);
  machine.memory.store(where.bits + offsetof(regex_t, re_nsub), 8, Value::of(Word{one.made.re_nsub}));
  without_pattern(machine, call, digest(pattern));
  follows(machine, call, static_cast<Word>(one.error));
}

void regexec_model(Machine& machine, Call& call) {
  std::string pattern, text;
  int flags = 0;
  const Value count = call.argument(2), matches = call.argument(3), how = call.argument(4);
  if (!pattern_at(machine, call.argument(0), pattern, flags) || !text_argument(machine, call, 1, text) ||
      !count.known() || !matches.known() || !how.known()) {
    machine.forget_behind(call, matches, "where a pattern matches");
    return call.returns(machine.unknown(call.at, "whether a pattern matches"));
  }
  std::vector<regmatch_t> found_at(std::min<Word>(count.bits, 1024), regmatch_t{-1, -1});
  const int result = ::regexec(&compiled(pattern, flags).made, text.c_str(), found_at.size(), found_at.data(),
                               static_cast<int>(how.bits));
  without_pattern(machine, call, digest(text));
  if (result == 0 && (flags & REG_NOSUB) == 0 && matches.bits != 0 && !found_at.empty())
    machine.memory.write(matches.bits, found_at.data(), found_at.size() * sizeof(regmatch_t));
  follows(machine, call, static_cast<Word>(result));
}

void regerror_model(Machine& machine, Call& call) {
  const Value code = call.argument(0), to = call.argument(2), capacity = call.argument(3);
  if (!code.known() || !to.known() || !capacity.known()) return call.returns(machine.unknown(call.at, "a message"));
  char text[256];
  const std::size_t size = ::regerror(static_cast<int>(code.bits), nullptr, text, sizeof text);
  const std::string kept(text, std::min<std::size_t>(size - 1, capacity.bits > 0 ? capacity.bits - 1 : 0));
  if (to.bits != 0 && capacity.bits > 0) machine.memory.write(to.bits, kept.c_str(), kept.size() + 1);
  call.returns(Value::of(Word{size}));
}

constexpr NamedModel kTextPartsModels[] = {
    {"memmem", memmem_model},     {"memrchr", memrchr_model},   {"memccpy", memccpy_model},
    {"stpncpy", stpncpy_model},   {"__stpncpy", stpncpy_model}, {"strverscmp", strverscmp_model},
    {"ffs", ffs_model},           {"ffsl", ffs_model},          {"ffsll", ffs_model},
    {"fnmatch", fnmatch_model},   {"regcomp", regcomp_model},   {"regexec", regexec_model},
    {"regerror", regerror_model}, {"regfree", succeeds},
};

}  // namespace

std::span<const NamedModel> text_part_models() { return kTextPartsModels; }

}  // namespace trikal::predict
