// What submissions to io_uring ask for: done at once, where they are submitted.

#include <cerrno>

#include "predict/models/descriptors.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/uring.hpp"

namespace trikal::predict {
namespace {

enum class Asked : std::uint8_t {  // enum io_uring_op, as far as it is followed
  kNothing = 0,
  kReadVector = 1,
  kWriteVector = 2,
  kSync = 3,
  kReadFixed = 4,
  kWriteFixed = 5,
  kSyncRange = 8,
  kOpen = 18,
  kClose = 19,
  kRead = 22,
  kWrite = 23,
  kFileAdvice = 24,
  kMemoryAdvice = 25,
  kRemove = 36,
};
constexpr Word kFixedFile = 1, kChosenBuffer = 1U << 5U;  // of the flags
constexpr Word kHere = ~Word{0};                          // an offset: where the file stands

Completion error(int number) { return {Value::of(lowest(static_cast<Word>(-number), 32)), true}; }
Completion done(Word result = 0) { return {Value::of(result), false}; }

Opened* file_of(Machine& machine, const Ring& ring, const Submission& one) {
  if (!one.descriptor.known()) return nullptr;
  const bool fixed = (one.flags.bits & kFixedFile) != 0;
  return fixed ? machine.world.held(ring.file(one.descriptor.bits))
               : machine.world.at(static_cast<int>(one.descriptor.bits));
}

// The memory that a transfer is about.
struct Buffers {
  struct Part {
    Value address;
    Word bytes;
  };
  std::vector<Part> parts;
  Word bytes = 0;
  bool known = true;

  void add(Value address, Value length) {
    known = known && length.known();
    parts.push_back({address, length.known() ? length.bits : 0});
    bytes += parts.back().bytes;
  }
};

Buffers buffers_of(Machine& machine, const Submission& one, bool vector) {
  constexpr Word kMost = 1024;  // IOV_MAX
  Buffers buffers;
  if (!vector) buffers.add(one.address, one.length);
  else if (!one.address.known() || !one.length.known()) buffers.known = false;
  else
    for (Word i = 0; i < one.length.bits && i < kMost; ++i)
      buffers.add(machine.memory.load(one.address.bits + 16 * i, 8),
                  machine.memory.load(one.address.bits + 16 * i + 8, 8));
  return buffers;
}

bool text_of(Machine& machine, const Buffers& buffers, Word bytes, std::string& out) {
  out.clear();
  if (bytes > kKeptContent) return false;
  for (const Buffers::Part& part : buffers.parts) {
    std::string piece;
    if (!written_data(machine, part.address, std::min<Word>(part.bytes, bytes - out.size()), piece)) return false;
    out += piece;
  }
  return true;
}

void fill(Machine& machine, const Call& call, const File& file, Word offset, const Buffers& buffers, Word bytes) {
  for (const Buffers::Part& part : buffers.parts) {
    const Word here = std::min(part.bytes, bytes);
    fill_from_file(machine, call, file, offset, part.address, here);
    offset += here, bytes -= here;
  }
}

Completion transfer(Machine& machine, const Call& call, const Ring& ring, const Submission& one, bool writes,
                    bool vector, bool fixed) {
  Opened* open = file_of(machine, ring, one);
  if (open == nullptr && one.descriptor.known()) return error(EBADF);
  if (open == nullptr) return {machine.unknown(call.at, "a transfer on a descriptor that is not known"), false};
  if (writes ? !open->writes : !open->reads) return error(EBADF);
  const Buffers buffers = buffers_of(machine, one, vector);
  if (fixed && !ring.in_buffer(one.buffer, one.address, buffers.bytes)) return error(EFAULT);
  const File& file = machine.world.files[open->file];
  const bool here = one.offset.known() && one.offset.bits == kHere;
  const Word given = here ? open->position : one.offset.known() ? one.offset.bits : 0;
  const Word where = writes && open->append ? file.size : given;
  const Word moved =
      writes ? writable(machine, call, where, buffers.bytes) : readable(machine, call, file, where, buffers.bytes);
  std::string data;
  const bool told = writes && text_of(machine, buffers, moved, data);
  move_bytes(machine, call,
             {writes ? Operation::kWrite : Operation::kRead, open->file, where, moved,
              buffers.known && one.offset.known(), told ? &data : nullptr});
  if (!writes) fill(machine, call, file, where, buffers, moved);
  if (here) open->position = where + moved;
  if (!buffers.known) return {machine.unknown(call.at, "how much is moved through io_uring"), false};
  if (!writes && !file.size_known) return {machine.unknown(call.at, "how much was read from " + file.name), false};
  return {Value::of(moved), moved != buffers.bytes};
}

Completion sync(Machine& machine, const Call& call, const Ring& ring, const Submission& one) {
  const Opened* open = file_of(machine, ring, one);
  if (open == nullptr && one.descriptor.known()) return error(EBADF);
  if (open == nullptr) return {machine.unknown(call.at, "whether a descriptor could be synced"), false};
  machine.access(call, {(one.how.bits & 1) != 0 ? Operation::kDataSync : Operation::kSync, open->file});
  return done();
}

// Into a descriptor, or into a slot of the files that are registered: one that is named, or any that is free.
Completion open(Machine& machine, const Call& call, Ring& ring, const Submission& one) {
  constexpr Word kAny = 0xffffffff;
  if (!one.how.known() || !one.file_index.known())
    return {machine.unknown(call.at, "how io_uring opens a file"), false};
  const int opened = open_file(machine, call, name_in_folder(machine, one.descriptor, one.address), one.how.bits);
  if (opened < 0) return error(-opened);
  if (one.file_index.bits == 0) return done(static_cast<Word>(opened));
  Word slot = one.file_index.bits - 1;
  if (one.file_index.bits == kAny)
    for (slot = 0; slot < ring.files() && ring.file(slot) >= 0;) ++slot;
  const int held = machine.world.hold(opened);
  machine.world.close(opened);
  if (slot < ring.files()) {
    ring.set_file(slot, held);
    return done(one.file_index.bits == kAny ? slot : 0);
  }
  machine.world.release(held);
  return error(one.file_index.bits == kAny ? ENFILE : ring.files() == 0 ? ENXIO : EINVAL);
}

Completion close(Machine& machine, const Call& call, Ring& ring, const Submission& one) {
  if (!one.descriptor.known() || !one.file_index.known())
    return {machine.unknown(call.at, "whether a descriptor could be closed"), false};
  const bool fixed = one.file_index.bits != 0;
  const Opened* open = fixed ? machine.world.held(ring.file(one.file_index.bits - 1))
                             : machine.world.at(static_cast<int>(one.descriptor.bits));
  if (open == nullptr) return error(fixed && ring.files() == 0 ? ENXIO : EBADF);
  machine.access(call, {Operation::kClose, open->file});
  if (fixed) ring.set_file(one.file_index.bits - 1, -1);
  else machine.world.close(static_cast<int>(one.descriptor.bits));
  return done();
}

Completion remove(Machine& machine, const Call& call, const Submission& one) {
  constexpr Word kFolder = 0x200;  // AT_REMOVEDIR
  const std::string name = name_in_folder(machine, one.descriptor, one.address);
  const int why = remove_entry(machine, call, name, one.how.known() && (one.how.bits & kFolder) != 0);
  return why != 0 ? error(why) : done();
}

}  // namespace

Completion carry_out(Machine& machine, const Call& call, Ring& ring, const Submission& one) {
  const bool followed = one.opcode.known() && one.flags.known() && (one.flags.bits & kChosenBuffer) == 0;
  switch (followed ? static_cast<Asked>(one.opcode.bits) : static_cast<Asked>(0xff)) {
    case Asked::kNothing:
    case Asked::kSyncRange:
    case Asked::kFileAdvice:
    case Asked::kMemoryAdvice: return done();
    case Asked::kRead: return transfer(machine, call, ring, one, false, false, false);
    case Asked::kWrite: return transfer(machine, call, ring, one, true, false, false);
    case Asked::kReadVector: return transfer(machine, call, ring, one, false, true, false);
    case Asked::kWriteVector: return transfer(machine, call, ring, one, true, true, false);
    case Asked::kReadFixed: return transfer(machine, call, ring, one, false, false, true);
    case Asked::kWriteFixed: return transfer(machine, call, ring, one, true, false, true);
    case Asked::kSync: return sync(machine, call, ring, one);
    case Asked::kOpen: return open(machine, call, ring, one);
    case Asked::kClose: return close(machine, call, ring, one);
    case Asked::kRemove: return remove(machine, call, one);
  }
  const std::string what = !one.opcode.known() || !one.flags.known() ? "an operation of io_uring that is not known"
                           : followed ? "operation " + std::to_string(one.opcode.bits) + " of io_uring"
                                      : "an operation of io_uring on a buffer that the kernel chooses";
  machine.note(what + " is not followed");
  return {machine.unknown(call.at, "the result of " + what), false};
}

}  // namespace trikal::predict
