// Asynchronous I/O, copies between descriptors: what they do, they do at once here.

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// Of struct aiocb, as glibc has it on 64-bit machines.
constexpr Word kDescriptor = 0, kOpcode = 4, kBuffer = 16, kBytes = 24, kOffset = 128, kReturned = 136;

Opened* opened(Machine& machine, Value descriptor) {
  return descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
}

void submit(Machine& machine, Call& call, Word block, bool writes) {
  const Opened* one = opened(machine, machine.memory.load(block + kDescriptor, 4));
  const Value bytes = machine.memory.load(block + kBytes, 8), offset = machine.memory.load(block + kOffset, 8);
  if (one == nullptr || !bytes.known() || !offset.known()) return;
  const Word moved =
      writes ? bytes.bits : readable(machine, call, machine.world.files[one->file], offset.bits, bytes.bits);
  move_bytes(machine, call, {writes ? Operation::kWrite : Operation::kRead, one->file, offset.bits, moved});
  if (!writes)
    fill_from_file(machine, call, machine.world.files[one->file], offset.bits, machine.memory.load(block + kBuffer, 8),
                   moved);
  machine.memory.store(block + kReturned, 8, Value::of(moved));
}
void aio_write_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) submit(machine, call, call.argument(0).bits, true);
}
void aio_read_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) submit(machine, call, call.argument(0).bits, false);
}
void aio_return_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) call.returns(machine.memory.load(call.argument(0).bits + kReturned, 8));
}
void aio_fsync_model(Machine& machine, Call& call) {
  if (!call.argument(1).known()) return;
  if (const Opened* one = opened(machine, machine.memory.load(call.argument(1).bits, 4)))
    machine.access(call, {Operation::kSync, one->file});
}
void lio_listio_model(Machine& machine, Call& call) {
  for (Word i = 0; call.argument(1).known() && i < call.argument(2).bits && i < 4096; ++i) {
    const Value block = machine.memory.load(call.argument(1).bits + 8 * i, 8);
    const Value opcode =
        block.known() && block.bits != 0 ? machine.memory.load(block.bits + kOpcode, 4) : Value::of(Word{2});
    if (opcode.bits < 2) submit(machine, call, block.bits, opcode.bits == 1);
  }
}

// From one descriptor into another, at offsets of their own or behind pointers.
void copy_between(Machine& machine, Call& call, std::size_t from, std::size_t from_offset, std::size_t to,
                  std::size_t to_offset, std::size_t length) {
  Opened *source = opened(machine, call.argument(from)), *target = opened(machine, call.argument(to));
  const Value bytes = call.argument(length);
  if (source == nullptr || target == nullptr || !bytes.known())
    return call.returns(machine.unknown(call.at, "how much was copied"));
  const auto offset = [&](Opened& one, std::size_t argument) -> Word {
    const Value pointer = call.argument(argument);
    return argument < call.arguments.size() && pointer.known() && pointer.bits != 0
               ? machine.memory.load(pointer.bits, 8).bits
               : one.position;
  };
  const auto advance = [&](Opened& one, std::size_t argument, Word moved) {
    const Value pointer = call.argument(argument);
    if (argument < call.arguments.size() && pointer.known() && pointer.bits != 0)
      machine.memory.store(pointer.bits, 8, Value::of(machine.memory.load(pointer.bits, 8).bits + moved));
    else one.position += moved;
  };
  const Word read_at = offset(*source, from_offset), write_at = offset(*target, to_offset);
  const Word moved = readable(machine, call, machine.world.files[source->file], read_at, bytes.bits);
  move_bytes(machine, call, {Operation::kRead, source->file, read_at, moved});
  move_bytes(machine, call, {Operation::kWrite, target->file, write_at, moved});
  advance(*source, from_offset, moved);
  advance(*target, to_offset, moved);
  call.returns(Value::of(moved));
}
void copy_file_range_model(Machine& machine, Call& call) { copy_between(machine, call, 0, 1, 2, 3, 4); }
void sendfile_model(Machine& machine, Call& call) { copy_between(machine, call, 1, 2, 0, 99, 3); }

constexpr NamedModel kAsyncModels[] = {
    {"aio_write", aio_write_model},
    {"aio_write64", aio_write_model},
    {"aio_read", aio_read_model},
    {"aio_read64", aio_read_model},
    {"aio_error", succeeds},
    {"aio_error64", succeeds},
    {"aio_return", aio_return_model},
    {"aio_return64", aio_return_model},
    {"aio_suspend", succeeds},
    {"aio_suspend64", succeeds},
    {"aio_fsync", aio_fsync_model},
    {"aio_fsync64", aio_fsync_model},
    {"lio_listio", lio_listio_model},
    {"lio_listio64", lio_listio_model},
    {"copy_file_range", copy_file_range_model},
    {"sendfile", sendfile_model},
    {"sendfile64", sendfile_model},
};

}  // namespace

std::span<const NamedModel> async_models() { return kAsyncModels; }

}  // namespace trikal::predict
