// Where things of a ring lie. The kernel's half follows the library's object: struct io_uring has pointers into it.

#include <cerrno>

#include "predict/models/uring.hpp"

namespace trikal::predict {
namespace {

// Of struct io_uring, the same in liburing 2.0 and since then.
constexpr Word kSubmitHeads = 0, kSubmitArray = 48, kEntries = 56, kTaken = 64, kFilled = 68, kSubmitBytes = 72,
               kSubmitBlock = 80, kSubmitMask = 88, kSubmitSize = 92, kCompletionHeads = 104, kCompletionEntries = 152,
               kCompletionBytes = 160, kCompletionBlock = 168, kCompletionMask = 176, kCompletionSize = 180,
               kFlags = 192, kDescriptor = 196, kFeatures = 200, kEnterDescriptor = 204, kInternalFlags = 208;
// Of the block that both sides share: six numbers of 32 bits for each queue.
constexpr Word kHead = 0, kTail = 4, kMask = 8, kSize = 12, kState = 16, kDropped = 20, kOfCompletions = 24;
// And behind them what only the kernel knows.
constexpr Word kFiles = 48, kFileCount = 56, kBufferCount = 60, kBuffers = 64, kLateHead = 72, kLateTail = 76,
               kArray = 128;

constexpr Word kEntryBytes = 64, kCompletionEntryBytes = 16, kLateFactor = 8;
constexpr Word kWideEntries = 1U << 10U, kWideCompletions = 1U << 11U;  // IORING_SETUP_SQE128, IORING_SETUP_CQE32
constexpr Word kOverflown = 2;  // IORING_SQ_CQ_OVERFLOW
constexpr Word kAllFeatures = 0x1fff;  // of Linux 6.1
constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

Word entry_shift(Word flags) { return (flags & kWideEntries) != 0 ? 1 : 0; }
Word completion_shift(Word flags) { return (flags & kWideCompletions) != 0 ? 1 : 0; }
Word completions_at(Word entries) { return (kArray + 4 * entries + 63) / 64 * 64; }

}  // namespace

Ring Ring::make(Machine& machine, Word object, const Shape& shape) {
  Memory& memory = machine.memory;
  const Word shared = completions_at(shape.entries),
             bytes = shared + (kCompletionEntryBytes << completion_shift(shape.flags)) * shape.completions;
  const Word late = kCompletionEntryBytes * kLateFactor * shape.completions;
  const Word block = machine.world.take(bytes + late);
  const Word entries = machine.world.take((kEntryBytes << entry_shift(shape.flags)) * shape.entries);
  memory.fill(block, bytes, 0);
  memory.fill(object, kInternalFlags + 8, 0);
  const auto word = [&](Word location, Word value) { memory.store(object + location, 4, Value::of(value)); };
  const auto wide = [&](Word location, Word value) { memory.store(object + location, 8, Value::of(value)); };
  for (Word i = 0; i < 6; ++i) {
    wide(kSubmitHeads + 8 * i, block + 4 * i);
    wide(kCompletionHeads + 8 * i, block + kOfCompletions + 4 * i);
  }
  wide(kSubmitArray, block + kArray), wide(kEntries, entries), wide(kCompletionEntries, block + shared);
  wide(kSubmitBytes, bytes), wide(kSubmitBlock, block), wide(kCompletionBytes, bytes), wide(kCompletionBlock, block);
  word(kSubmitMask, shape.entries - 1), word(kSubmitSize, shape.entries);
  word(kCompletionMask, shape.completions - 1), word(kCompletionSize, shape.completions);
  word(kFlags, shape.flags), word(kFeatures, kAllFeatures);
  for (const auto& [queue, size] : {std::pair(Word{0}, shape.entries), std::pair(kOfCompletions, shape.completions)}) {
    memory.store(block + queue + kMask, 4, Value::of(size - 1));
    memory.store(block + queue + kSize, 4, Value::of(size));
  }
  for (Word i = 0; i < shape.entries; ++i) memory.store(block + kArray + 4 * i, 4, Value::of(i));
  const std::uint32_t file = machine.world.file_named("<io_uring>");
  machine.world.files[file].exists = true;
  const auto descriptor = static_cast<Word>(machine.world.open(file));
  word(kDescriptor, descriptor), word(kEnterDescriptor, descriptor);
  return {machine, object, block};
}

std::optional<Ring> Ring::at(Machine& machine, Value object) {
  if (!object.known()) return std::nullopt;
  const Value block = machine.memory.load(object.bits + kSubmitBlock, 8);
  if (!block.known() || !machine.world.size_at(block.bits)) return std::nullopt;
  return Ring(machine, object.bits, block.bits);
}

void Ring::destroy() {
  (void)unregister_files();
  (void)unregister_buffers();
  if (const Value own = descriptor(); own.known()) machine_.world.close(static_cast<int>(own.bits));
  if (const Value entries = machine_.memory.load(object_ + kEntries, 8); entries.known())
    machine_.world.give_back(entries.bits);
  machine_.world.give_back(block_);
}

void Ring::describe(Word parameters) const {
  constexpr Word kTold = 20, kSubmitOffsets = 40, kCompletionOffsets = 80;
  const auto word = [&](Word location, Word value) {
    machine_.memory.store(parameters + location, 4, Value::of(value));
  };
  const Word entries = own(kSize).bits;
  word(0, entries), word(4, completions()), word(kTold, kAllFeatures);
  const Word submits[] = {kHead, kTail, kMask, kSize, kState, kDropped, kArray};
  for (std::size_t i = 0; i < std::size(submits); ++i) word(kSubmitOffsets + 4 * i, submits[i]);
  const Word completes[] = {kHead, kTail, kMask, kSize, kDropped};
  for (std::size_t i = 0; i < std::size(completes); ++i)
    word(kCompletionOffsets + 4 * i, kOfCompletions + completes[i]);
  word(kCompletionOffsets + 20, completions_at(entries)), word(kCompletionOffsets + 24, kOfCompletions + kState);
}

Value Ring::own(Word location) const { return machine_.memory.load(block_ + location, 4); }
void Ring::set(const Call& call, Word location, Value value) { machine_.put(call, block_ + location, 4, value); }
Word Ring::flags() const { return machine_.memory.load(object_ + kFlags, 4).bits; }
Word Ring::completions() const { return own(kOfCompletions + kSize).bits; }
Value Ring::descriptor() const { return machine_.memory.load(object_ + kDescriptor, 4); }

std::optional<std::vector<Submission>> Ring::take(const Call& call) {
  const Value head = own(kHead), tail = machine_.memory.load(object_ + kFilled, 4), size = own(kSize);
  const Value entries = machine_.memory.load(object_ + kEntries, 8);
  if (!head.known() || !tail.known() || !size.known() || !entries.known()) return std::nullopt;
  const Word count = lowest(tail.bits - head.bits, 32);
  if (count > size.bits) return std::nullopt;
  std::vector<Submission> all;
  for (Word i = 0; i < count; ++i) {
    const Word slot = (head.bits + i) & (size.bits - 1);
    const Word at = entries.bits + (slot << entry_shift(flags())) * kEntryBytes;
    const auto field = [&](Word location, unsigned bytes) { return machine_.memory.load(at + location, bytes); };
    all.push_back({field(0, 1), field(1, 1), field(4, 4), field(8, 8), field(16, 8), field(24, 4), field(28, 4),
                   field(32, 8), field(40, 2), field(44, 4)});
  }
  machine_.put(call, object_ + kTaken, 4, tail);
  set(call, kHead, tail), set(call, kTail, tail);
  return all;
}

void Ring::post(const Call& call, Value data, Value result) {
  data.data = result.data = true;  // from memory that moves: whether iterations are alike is to be looked at closely
  const Value head = own(kOfCompletions + kHead), tail = own(kOfCompletions + kTail);
  const Value late = own(kLateTail), late_head = own(kLateHead);
  if (!head.known() || !tail.known() || !late.known() || !late_head.known())
    return machine_.note("a completion of io_uring has no known address");
  const Word size = completions(), waiting = lowest(late.bits - late_head.bits, 32);
  const bool full = waiting > 0 || lowest(tail.bits - head.bits, 32) >= size;
  if (full && waiting >= size * kLateFactor)
    return machine_.note("completions of io_uring that nobody takes are forgotten");
  const Word shift = completion_shift(flags()), first = block_ + completions_at(own(kSize).bits);
  const Word index = full ? first + ((size << shift) + late.bits % (size * kLateFactor)) * kCompletionEntryBytes
                          : first + ((tail.bits & (size - 1)) << shift) * kCompletionEntryBytes;
  machine_.put(call, index, 8, data);
  machine_.put(call, index + 8, 4, result);
  machine_.put(call, index + 12, 4, Value::of(Word{0}));
  if (full) set(call, kLateTail, Value::of(lowest(late.bits + 1, 32))), set(call, kState, Value::of(kOverflown));
  else set(call, kOfCompletions + kTail, Value::of(lowest(tail.bits + 1, 32)));
}

void Ring::flush(const Call& call) {
  const Value late = own(kLateTail), first = own(kLateHead);
  if (!late.known() || !first.known() || late.bits == first.bits) return;
  const Word size = completions(), slots = size * kLateFactor, shift = completion_shift(flags());
  const Word behind = block_ + completions_at(own(kSize).bits) + (size << shift) * kCompletionEntryBytes;
  const Value free = ready();
  Word next = first.bits;
  set(call, kLateHead, late);  // so that the queue itself has space
  for (Word space = free.known() ? size - free.bits : 0; space > 0 && next != late.bits; --space, ++next) {
    const Word at = behind + next % slots * kCompletionEntryBytes;
    post(call, machine_.memory.load(at, 8), machine_.memory.load(at + 8, 4));
  }
  set(call, kLateHead, Value::of(next));
  set(call, kState, Value::of(next == late.bits ? Word{0} : kOverflown));
}

Value Ring::ready() const {
  const Value head = own(kOfCompletions + kHead), tail = own(kOfCompletions + kTail);
  if (!head.known() || !tail.known()) return head.known() ? tail : head;
  return Value::of(lowest(tail.bits - head.bits, 32));
}

Value Ring::completion(Word i) const {
  const Value head = own(kOfCompletions + kHead);
  if (!head.known()) return head;
  const Word slot = ((head.bits + i) & (completions() - 1)) << completion_shift(flags());
  return Value::of(block_ + completions_at(own(kSize).bits) + slot * kCompletionEntryBytes);
}

bool Ring::register_files(Word count) {
  if (files() != 0 || count == 0) return false;
  const Word table = machine_.world.take(4 * count);
  for (Word i = 0; i < count; ++i) machine_.memory.store(table + 4 * i, 4, Value::of(Word{kNoSlot}));
  machine_.memory.store(block_ + kFiles, 8, Value::of(table));
  machine_.memory.store(block_ + kFileCount, 4, Value::of(count));
  return true;
}

Word Ring::files() const { return own(kFileCount).bits; }

int Ring::file(Word slot) const {
  if (slot >= files()) return -1;
  const Value held = machine_.memory.load(machine_.memory.load(block_ + kFiles, 8).bits + 4 * slot, 4);
  return held.known() ? static_cast<int>(held.bits) : -1;
}

void Ring::set_file(Word slot, int held) {
  if (slot >= files()) return;
  if (const int before = file(slot); before >= 0) machine_.world.release(before);
  machine_.memory.store(machine_.memory.load(block_ + kFiles, 8).bits + 4 * slot, 4,
                        Value::of(Word{static_cast<std::uint32_t>(held)}));
}

bool Ring::unregister_files() {
  if (files() == 0) return false;
  for (Word i = 0; i < files(); ++i) set_file(i, -1);
  machine_.world.give_back(machine_.memory.load(block_ + kFiles, 8).bits);
  machine_.memory.store(block_ + kFileCount, 4, Value::of(Word{0}));
  return true;
}

bool Ring::register_buffers(Value vectors, Word count) {
  if (own(kBufferCount).bits != 0 || count == 0 || !vectors.known()) return false;
  const Word table = machine_.world.take(16 * count);
  machine_.memory.copy(table, vectors.bits, 16 * count);
  machine_.memory.store(block_ + kBuffers, 8, Value::of(table));
  machine_.memory.store(block_ + kBufferCount, 4, Value::of(count));
  return true;
}

bool Ring::in_buffer(Value index, Value address, Word bytes) const {
  if (!index.known() || index.bits >= own(kBufferCount).bits) return !index.known();
  const Word vector = machine_.memory.load(block_ + kBuffers, 8).bits + 16 * index.bits;
  const Value base = machine_.memory.load(vector, 8), length = machine_.memory.load(vector + 8, 8);
  if (!base.known() || !length.known() || !address.known()) return true;
  return address.bits >= base.bits && address.bits + bytes <= base.bits + length.bits;
}

bool Ring::unregister_buffers() {
  if (own(kBufferCount).bits == 0) return false;
  machine_.world.give_back(machine_.memory.load(block_ + kBuffers, 8).bits);
  machine_.memory.store(block_ + kBufferCount, 4, Value::of(Word{0}));
  return true;
}

}  // namespace trikal::predict
