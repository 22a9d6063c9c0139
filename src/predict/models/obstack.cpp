// Obstacks: a header does most of it in the program itself, and calls these where a chunk is full or given back.

#include <llvm/IR/Function.h>

#include <obstack.h>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kSize = offsetof(obstack, chunk_size), kChunk = offsetof(obstack, chunk),
               kBase = offsetof(obstack, object_base), kNext = offsetof(obstack, next_free),
               kLimit = offsetof(obstack, chunk_limit), kMask = offsetof(obstack, alignment_mask),
               kTake = offsetof(obstack, chunkfun), kGive = offsetof(obstack, freefun),
               kExtra = offsetof(obstack, extra_arg), kBits = kExtra + 8;
constexpr Word kChunkLimit = 0, kChunkBefore = 8, kChunkHead = 16;
constexpr Word kUsualSize = 4064, kUsualMask = 15;

Word word(Machine& machine, Word location) { return machine.memory.load(location, 8).bits; }
void set(Machine& machine, Word location, Word value) { machine.memory.store(location, 8, Value::of(value)); }
Word aligned(Machine& machine, Word stack, Word address) {
  const Word mask = lowest(machine.memory.load(stack + kMask, 4).bits, 32);
  return (address + mask) & ~mask;
}

// By the function the program gave, where that is its own; else from the heap.
Word take_chunk(Machine& machine, const Call& call, Word stack, Word bytes) {
  const Word by = word(machine, stack + kTake);
  const llvm::Function* function = machine.decoder.function_at(by);
  Word chunk = 0;
  if (function != nullptr && !function->isDeclaration()) {
    const Value told[] = {Value::of(bytes)};
    const std::vector<Value> result = machine.invoke(by, told, call);
    chunk = result.empty() ? 0 : result[0].bits;
  }
  if (chunk == 0) chunk = machine.world.take(bytes);
  set(machine, chunk + kChunkLimit, chunk + bytes);
  set(machine, stack + kChunk, chunk);
  set(machine, stack + kLimit, chunk + bytes);
  return chunk;
}

void begin_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 5); !none.known()) return call.returns(none);
  const Word stack = call.argument(0).bits;
  const Word size = call.argument(1).bits, alignment = call.argument(2).bits;
  machine.memory.fill(stack, sizeof(obstack), 0);
  set(machine, stack + kSize, size != 0 ? size : kUsualSize);
  machine.memory.store(stack + kMask, 4, Value::of(alignment != 0 ? alignment - 1 : kUsualMask));
  set(machine, stack + kTake, call.argument(3).bits);
  set(machine, stack + kGive, call.argument(4).bits);
  const Word chunk = take_chunk(machine, call, stack, word(machine, stack + kSize));
  set(machine, chunk + kChunkBefore, 0);
  set(machine, stack + kBase, aligned(machine, stack, chunk + kChunkHead));
  set(machine, stack + kNext, aligned(machine, stack, chunk + kChunkHead));
  call.returns(Value::of(Word{1}));
}

// What has grown so far moves to a chunk with space for more.
void new_chunk_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return;
  const Word stack = call.argument(0).bits, before = word(machine, stack + kChunk), base = word(machine, stack + kBase);
  const Word grown = word(machine, stack + kNext) - base;
  const Word least = grown + lowest(call.argument(1).bits, 32) + grown / 8 + 100 + kUsualMask;
  const Word chunk = take_chunk(machine, call, stack, std::max(least, word(machine, stack + kSize)));
  set(machine, chunk + kChunkBefore, before);
  const Word moved = aligned(machine, stack, chunk + kChunkHead);
  machine.memory.copy(moved, base, grown);
  set(machine, stack + kBase, moved);
  set(machine, stack + kNext, moved + grown);
  machine.memory.store(stack + kBits, 1, Value::of(machine.memory.load(stack + kBits, 1).bits & ~Word{2}));
}

void free_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return;
  const Word stack = call.argument(0).bits, object = call.argument(1).bits;
  Word chunk = word(machine, stack + kChunk);
  while (chunk != 0 && (object <= chunk || object > word(machine, chunk + kChunkLimit))) {
    const Word before = word(machine, chunk + kChunkBefore);
    const Word by = word(machine, stack + kGive);
    const llvm::Function* function = machine.decoder.function_at(by);
    const Value told[] = {Value::of(chunk)};
    if (function != nullptr && !function->isDeclaration()) machine.invoke(by, told, call);
    else machine.world.give_back(chunk);
    machine.memory.store(stack + kBits, 1, Value::of(machine.memory.load(stack + kBits, 1).bits | 2));
    chunk = before;
  }
  set(machine, stack + kChunk, chunk);
  if (chunk == 0) return;
  set(machine, stack + kBase, object);
  set(machine, stack + kNext, object);
  set(machine, stack + kLimit, word(machine, chunk + kChunkLimit));
}

constexpr NamedModel kObstackModels[] = {
    {"_obstack_begin", begin_model},
    {"_obstack_newchunk", new_chunk_model},
    {"obstack_free", free_model},
    {"_obstack_free", free_model},
};

}  // namespace

std::span<const NamedModel> obstack_models() { return kObstackModels; }

}  // namespace trikal::predict
