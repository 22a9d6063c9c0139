// getc_unlocked and putc_unlocked as the headers of libc have them: the program looks into the buffer itself, and calls
// __uflow or __overflow when that is used up. Here buffers are always used up, so that every character comes by. Where a row
// of them ends it is counted as a run sees it: one character that renews the buffer, and then what the buffer holds.

#include <algorithm>

#include "predict/models/inlined.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// Kept behind the FILE itself: which way it is used, where the row began, how large the buffer is.
constexpr Word kWay = 256, kBegan = 264, kCapacity = 272;
constexpr Word kReads = 1, kWrites = 2, kUsualCapacity = 4096;
constexpr Word kStreamTexts = (Word{1} << 47) + (Word{1} << 40);  // how the rows begin that are written

Word kept(Machine& machine, const Opened& one, Word position) {
  return machine.memory.load(one.address + position, 8).bits;
}
void keep(Machine& machine, const Call& call, const Opened& one, Word position, Word value) {
  machine.put(call, one.address + position, 8, Value::of(value));
}
Word capacity(Machine& machine, const Opened& one) {
  const Word told = kept(machine, one, kCapacity);
  return told != 0 ? told : kUsualCapacity;
}
Word text_address(const Opened& one) { return kStreamTexts + (one.address >> 9) % (Word{1} << 16) * kKeptContent; }

bool unbuffered(Machine& machine, const Opened& one) {
  return (machine.world.files[one.file].flags & analyze::kUseUnbuffered) != 0;
}
Opened* stream_at(Machine& machine, const Call& call) {
  return call.argument(0).known() ? machine.world.stream(call.argument(0).bits) : nullptr;
}

void go_on(Machine& machine, const Call& call, Opened& one, Word way) {
  if (kept(machine, one, kWay) == way) return;
  end_inlined(machine, call, one);
  if (way == kWrites && one.append) one.position = machine.world.files[one.file].size;
  keep(machine, call, one, kWay, way);
  keep(machine, call, one, kBegan, one.position);
}

void underflow_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a character of a stream"));
  const File& file = machine.world.files[one->file];
  std::string text;
  if (readable(machine, call, file, one->position, 1) == 0) {
    end_inlined(machine, call, *one);
    one->end_seen = true;
    return call.returns(Value::of(lowest(~Word{0}, 32)));
  }
  const bool known = bytes_of_file(file, one->position, 1, text);
  if (known) reads_on(machine, call, file, one->position);
  if (unbuffered(machine, *one)) move_in_stream(machine, call, *one, false, 1);
  else go_on(machine, call, *one, kReads), ++one->position;
  call.returns(known ? Value::of(Word{static_cast<unsigned char>(text[0])})
                     : machine.unknown_character(call.at, "a character of " + machine.world.files[one->file].name));
}

void overflow_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call);
  const Value character = call.argument(1);
  call.returns(character.known() ? Value::of(character.bits & 0xff) : character);
  if (one == nullptr) return;
  if (unbuffered(machine, *one)) {
    const std::string data(1, static_cast<char>(character.bits));
    return move_in_stream(machine, call, *one, true, 1, true, character.known() ? &data : nullptr);
  }
  go_on(machine, call, *one, kWrites);
  const Word location = one->position - kept(machine, *one, kBegan);
  machine.compare(call, location + 1, kKeptContent);
  if (location < kKeptContent) machine.put(call, text_address(*one) + location, 1, character);
  ++one->position;
}

constexpr NamedModel kStreamInlinedModels[] = {{"__uflow", underflow_model}, {"__overflow", overflow_model}};

}  // namespace

void end_inlined(Machine& machine, const Call& call, Opened& one) {
  const Word way = one.address == 0 ? 0 : kept(machine, one, kWay);
  if (way == 0) return;
  keep(machine, call, one, kWay, 0);
  const Word began = kept(machine, one, kBegan), end = one.position, whole = capacity(machine, one);
  std::string text;
  const bool told =
      way == kWrites && written_data(machine, Value::of(text_address(one)), std::min(end - began, kKeptContent), text);
  const auto move = [&](Word at, Word bytes) {
    const std::string data = told && at - began < text.size() ? text.substr(at - began, bytes) : "";
    move_bytes(machine, call,
               {way == kWrites ? Operation::kStreamWrite : Operation::kStreamRead, one.file, at, bytes, true,
                data.empty() ? nullptr : &data});
  };
  for (Word at = began; at < end; at += whole) {
    move(at, 1);
    if (const Word more = std::min(whole, end - at) - 1; more > 0) move(at + 1, more);
  }
}

void settle_streams(Machine& machine, const Call& call) {
  for (std::size_t i = 0; i < machine.world.opened.size(); ++i)
    if (machine.world.opened[i].users > 0 && machine.world.opened[i].stream)
      end_inlined(machine, call, machine.world.opened[i]);
}

void set_buffer(Machine& machine, const Opened& one, Word bytes) {
  machine.memory.store(one.address + kCapacity, 8, Value::of(bytes));
}

std::span<const NamedModel> stream_inlined_models() { return kStreamInlinedModels; }

}  // namespace trikal::predict
