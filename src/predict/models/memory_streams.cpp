// Streams into memory, and printing to descriptors. A run sees no file behind the first, and counts nothing.

#include <cstdio>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// Opened again with the same memory it is the same one: a loop looks alike each time.
File& open_memory(Machine& machine, Word location, Word& stream) {
  const std::uint32_t number = machine.world.file_named("<memory at " + std::to_string(location) + ">");
  File& file = machine.world.files[number];
  make_empty(file);
  file.exists = file.unwatched = true;
  const int descriptor = machine.world.open(number);
  stream = machine.world.make_stream(descriptor);
  // It has no descriptor: the number goes to the next one who opens a file.
  machine.world.hold(descriptor);
  machine.world.close(descriptor);
  machine.world.stream(stream)->descriptor = -1;
  return machine.world.files[number];
}

void open_memstream_model(Machine& machine, Call& call) {
  const Value text = call.argument(0), size = call.argument(1);
  if (!text.known() || !size.known()) return call.returns(machine.unknown(call.at, "a stream into memory"));
  Word stream = 0;
  File& file = open_memory(machine, text.bits, stream);
  machine.memory.store(text.bits, 8, Value::of(Word{0}));
  file.in_memory = InMemory{text.bits, size.bits, 0, 0};
  settle_memory(machine, call, file);
  call.returns(Value::of(stream));
}

void fmemopen_model(Machine& machine, Call& call) {
  const Value buffer = call.argument(0), capacity = call.argument(1);
  std::string mode, text;
  if (!buffer.known() || !capacity.known() || !text_argument(machine, call, 2, mode))
    return call.returns(machine.unknown(call.at, "a stream into memory"));
  const bool anew = mode[0] == 'w' || buffer.bits == 0;
  if (!anew) text.resize(std::min(capacity.bits, kKeptContent));
  if (!anew && (capacity.bits > kKeptContent || !machine.memory.read(buffer.bits, text.data(), text.size())))
    return call.returns(machine.unknown(call.at, "a stream into memory that is not known"));
  Word stream = 0;
  File& file = open_memory(machine, buffer.bits != 0 ? buffer.bits : call.at.id, stream);
  if (mode[0] == 'a') text.resize(std::min(text.find('\0'), text.size()));
  if (!anew) file.size = text.size(), file.content = std::make_shared<const std::string>(text);
  file.in_memory = InMemory{0, 0, buffer.bits, capacity.bits};
  machine.world.stream(stream)->append = mode[0] == 'a';
  call.returns(Value::of(stream));
}

// --- dprintf

void print_to(Machine& machine, Call& call, std::span<const Value> arguments) {
  const Value descriptor = call.argument(0);
  Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  std::string format;
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a text for a descriptor"));
  if (!text_argument(machine, call, 1, format)) format = "%s";
  const Printed out = print(machine, call, format, arguments);
  const Word where = one->append ? machine.world.files[one->file].size : one->position;
  move_bytes(machine, call,
             {Operation::kWrite, one->file, where, out.text.size(), out.known, out.known ? &out.text : nullptr});
  one->position = where + out.text.size();
  call.returns(out.known ? Value::of(Word{out.text.size()})
                         : machine.unknown(call.at, "the length of what was printed"));
}
void dprintf_model(Machine& machine, Call& call) {
  print_to(machine, call, std::span(call.arguments).subspan(std::min<std::size_t>(2, call.arguments.size())));
}
void vdprintf_model(Machine& machine, Call& call) {
  print_to(machine, call, list_arguments(machine, call, call.argument(2)));
}

constexpr NamedModel kMemoryStreamsModels[] = {
    {"open_memstream", open_memstream_model},
    {"fmemopen", fmemopen_model},
    {"dprintf", dprintf_model},
    {"vdprintf", vdprintf_model},
};

}  // namespace

void settle_memory(Machine& machine, const Call& call, File& file) {
  if (!file.in_memory) return;
  const InMemory& target = *file.in_memory;
  Word to = target.buffer, most = target.capacity;
  if (target.text_at != 0) {
    const Value before = machine.memory.load(target.text_at, 8);
    if (before.known() && before.bits != 0) machine.world.give_back(before.bits);
    to = machine.world.take(file.size + 1), most = file.size + 1;
    machine.memory.store(target.text_at, 8, Value::of(to));
    machine.memory.store(target.size_at, 8, Value::of(file.size));
  }
  if (to == 0 || file.last_direction == 1) return;
  const Word known = std::min<Word>({file.content ? file.content->size() : 0, file.size, most});
  if (known > 0) machine.memory.write(to, file.content->data(), known);
  if (known < std::min(file.size, most))
    machine.memory.forget(to + known, std::min(file.size, most) - known,
                          machine.unknown(call.at, "a text in memory").cause);
  if (file.size < most) machine.memory.store(to + file.size, 1, Value::of(Word{0}));
}

std::span<const NamedModel> memory_stream_models() { return kMemoryStreamsModels; }

}  // namespace trikal::predict
