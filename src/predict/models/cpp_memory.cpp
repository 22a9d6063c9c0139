// std::stringbuf: six pointers into a std::string. The headers' own code looks at them, so they are kept as the library does.

#include <algorithm>

#include "predict/models/cpp_buffers.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kFirstIn = 8, kIn = 16, kEndIn = 24, kFirstOut = 32, kOut = 40, kEndOut = 48, kMode = 64, kText = 72;
constexpr Word kSize = kText + 8, kCapacity = kText + 16;
constexpr Word kModeIn = 8, kModeOut = 16;

Word word_at(Machine& machine, Word address) { return machine.memory.load(address, 8).bits; }
void set_word(Machine& machine, Word address, Word value) { machine.memory.store(address, 8, Value::of(value)); }
bool reads(Machine& machine, Word buffer) { return (machine.memory.load(buffer + kMode, 4).bits & kModeIn) != 0; }
bool writes(Machine& machine, Word buffer) { return (machine.memory.load(buffer + kMode, 4).bits & kModeOut) != 0; }

// More space for what is written: the text moves.
void grow(Machine& machine, Word buffer, Word bytes) {
  const Word base = word_at(machine, buffer + kFirstOut), used = word_at(machine, buffer + kOut) - base;
  const Word end = word_at(machine, buffer + kEndIn);
  const Word kept = std::max(used, end > base ? end - base : 0);
  const Word capacity = std::max({2 * (word_at(machine, buffer + kEndOut) - base), Word{512}, used + bytes});
  const Word fresh = machine.world.take(capacity + 1);
  if (base != 0) machine.memory.copy(fresh, base, kept);
  if (base != 0 && base != buffer + kCapacity) machine.world.give_back(base);
  for (const Word position : {kFirstIn, kIn, kEndIn})
    set_word(machine, buffer + position, base == 0 ? fresh : fresh + word_at(machine, buffer + position) - base);
  set_word(machine, buffer + kFirstOut, fresh);
  set_word(machine, buffer + kOut, fresh + used);
  set_word(machine, buffer + kEndOut, fresh + capacity);
  set_word(machine, buffer + kText, fresh);
  set_word(machine, buffer + kCapacity, capacity);
}

// What was written can be read.
void update_end(Machine& machine, Word buffer) {
  const Word out = word_at(machine, buffer + kOut);
  if (out == 0 || out <= word_at(machine, buffer + kEndIn)) return;
  set_word(machine, buffer + kEndIn, out);
  if (!reads(machine, buffer)) set_word(machine, buffer + kFirstIn, out), set_word(machine, buffer + kIn, out);
}

// After the text was set: the pointers begin anew. (this, where the text lies, read so far, written so far)
void sync_model(Machine& machine, Call& call) {
  for (std::size_t i = 0; i < 4; ++i)
    if (!call.argument(i).known()) return machine.forget_behind(call, call.argument(0), "a stream of unknown text");
  const Word buffer = call.argument(0).bits, base = call.argument(1).bits;
  const Word own = base == buffer + kCapacity ? 15 : word_at(machine, buffer + kCapacity);
  const Word end = base + word_at(machine, buffer + kSize);
  const bool in = reads(machine, buffer);
  if (in) {
    set_word(machine, buffer + kFirstIn, base);
    set_word(machine, buffer + kIn, base + call.argument(2).bits);
    set_word(machine, buffer + kEndIn, end);
  }
  if (!writes(machine, buffer)) return;
  set_word(machine, buffer + kFirstOut, base);
  set_word(machine, buffer + kOut, base + call.argument(3).bits);
  set_word(machine, buffer + kEndOut, base + own);
  if (!in)
    for (const Word position : {kFirstIn, kIn, kEndIn}) set_word(machine, buffer + position, end);
}

#define TRIKAL_STRINGBUF "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE"
constexpr NamedModel kCppMemoryModels[] = {
    {TRIKAL_STRINGBUF "7_M_syncEPcmm", sync_model},
};
#undef TRIKAL_STRINGBUF

}  // namespace

void put_in_text(Machine& machine, const Call& call, Word buffer, const Piece& piece) {
  if (!writes(machine, buffer)) return;
  const Value cursor = machine.memory.load(buffer + kOut, 8), end = machine.memory.load(buffer + kEndOut, 8);
  if (!cursor.known() || !end.known()) return;
  if (end.bits - cursor.bits < piece.bytes) grow(machine, buffer, piece.bytes);
  const Word at = word_at(machine, buffer + kOut);
  machine.wrote_text(call, at, piece.bytes);
  if (piece.text != nullptr) machine.memory.write(at, piece.text->data(), piece.text->size());
  else if (piece.from.known()) machine.memory.copy(at, piece.from.bits, piece.bytes);
  else machine.memory.forget(at, piece.bytes, machine.unknown(call.at, "a text that was put together").cause);
  set_word(machine, buffer + kOut, at + piece.bytes);
}

std::optional<std::pair<Word, Word>> left_in_text(Machine& machine, Word buffer) {
  update_end(machine, buffer);
  const Value at = machine.memory.load(buffer + kIn, 8), end = machine.memory.load(buffer + kEndIn, 8);
  if (!at.known() || !end.known() || !reads(machine, buffer)) return std::nullopt;
  return std::pair(at.bits, std::max(at.bits, end.bits));
}

void skip_in_text(Machine& machine, Word buffer, Word bytes) {
  set_word(machine, buffer + kIn, word_at(machine, buffer + kIn) + bytes);
}

Value seek_in_text(Machine& machine, Word buffer, Value offset, Word from, Word mode) {
  update_end(machine, buffer);
  const bool in = (mode & kModeIn) != 0 && reads(machine, buffer),
             out = (mode & kModeOut) != 0 && writes(machine, buffer);
  const Word first = word_at(machine, buffer + (reads(machine, buffer) ? kFirstIn : kFirstOut));
  if ((!in && !out) || !offset.known()) return Value::of(~Word{0});
  const Word length = word_at(machine, buffer + kEndIn) - first;
  const Word here = word_at(machine, buffer + (in ? kIn : kOut)) - first;
  const Word position = offset.bits + (from == 0 ? 0 : from == 1 ? here : length);
  if (position > length) return Value::of(~Word{0});
  if (in) set_word(machine, buffer + kIn, first + position);
  if (out) set_word(machine, buffer + kOut, first + position);
  return Value::of(position);
}

std::span<const NamedModel> cpp_memory_models() { return kCppMemoryModels; }

}  // namespace trikal::predict
