// Calls on descriptors.

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "modules/posix/calls.hpp"
#include "predict/models/descriptors.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

const CallShape& shape_of(const Call& call) {
  for (const CallShape& shape : modules::posix::kCalls)
    if (shape.name == call.name) return shape;
  return modules::posix::kCalls[0];
}

Opened* opened_at(Machine& machine, const Call& call, std::size_t index) {
  const Value descriptor = call.argument(index);
  return descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
}

void open_named(Machine& machine, Call& call, const Named& name, Word flags, Value mode = Value::of(Word{0666})) {
  if (name.error != 0) return fail(machine, call, name.error);
  const int descriptor = open_file(machine, call, name.name, flags, mode.known() ? mode.bits : 0666);
  if (descriptor < 0) return fail(machine, call, -descriptor);
  call.returns(Value::of(static_cast<Word>(descriptor)));
}

void open_model(Machine& machine, Call& call) {
  const Value flags = call.argument(1);
  open_named(machine, call, named(machine, call, 0), flags.known() ? flags.bits : 0, call.argument(2));
}
void openat_model(Machine& machine, Call& call) {
  const Value flags = call.argument(2);
  open_named(machine, call, named_in(machine, call, 0, 1), flags.known() ? flags.bits : 0, call.argument(3));
}
void creat_model(Machine& machine, Call& call) {
  open_named(machine, call, named(machine, call, 0), O_CREAT | O_TRUNC | O_WRONLY, call.argument(1));
}

void close_model(Machine& machine, Call& call) {
  Opened* one = opened_at(machine, call, 0);
  if (one == nullptr && call.argument(0).known()) return fail(machine, call, EBADF);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "whether a descriptor could be closed"));
  if (!one->listed) machine.access(call, {Operation::kClose, one->file});
  machine.world.close(static_cast<int>(call.argument(0).bits));
}

void transfer_model(Machine& machine, Call& call) {
  const CallShape& shape = shape_of(call);
  Opened* one = opened_at(machine, call, static_cast<std::size_t>(shape.handle));
  const Value bytes = call.argument(static_cast<std::size_t>(shape.bytes));
  if (one == nullptr && call.argument(static_cast<std::size_t>(shape.handle)).known())
    return fail(machine, call, EBADF, 64);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a transfer on a descriptor that is not known"));
  const bool writes = shape.kind == CallKind::kWrite, placed = shape.offset >= 0;
  if (writes ? !one->writes : !one->reads) return fail(machine, call, EBADF, 64);
  const std::uint32_t number = one->file;
  File& file = machine.world.files[number];
  Value offset = placed ? call.argument(static_cast<std::size_t>(shape.offset)) : Value::of(one->position);
  if (writes && one->append && !placed) offset = Value::of(file.size);
  const Word where = offset.known() ? offset.bits : 0;
  const Word asked = bytes.known() ? bytes.bits : 0;
  const Word moved = writes ? writable(machine, call, where, asked) : readable(machine, call, file, where, asked);
  if (!writes && file.pipe && moved == 0 && machine.world.has_writer(number))
    return call.returns(machine.unknown(call.at, "what another process writes into a pipe"));
  const Operation operation = writes ? Operation::kWrite : Operation::kRead;
  std::string data;
  const bool told = writes && written_data(machine, call.argument(static_cast<std::size_t>(shape.buffer)), moved, data);
  move_bytes(machine, call, {operation, number, where, moved, bytes.known(), told ? &data : nullptr});
  if (!writes) fill_from_file(machine, call, file, where, call.argument(static_cast<std::size_t>(shape.buffer)), moved);
  if (!placed) one->position = where + moved;
  if (!bytes.known()) return call.returns(bytes);
  if (!writes && !file.size_known) return call.returns(machine.unknown(call.at, "how much was read from " + file.name));
  call.returns(Value::of(moved));
}

// readv, writev and their likes: the lengths are in memory.
void vector_model(Machine& machine, Call& call) {
  const std::string_view name = call.name;
  const bool writes = name.find("write") != std::string_view::npos, placed = name.starts_with("p");
  Opened* one = opened_at(machine, call, 0);
  if (one == nullptr || !call.argument(1).known() || !call.argument(2).known())
    return call.returns(machine.unknown(call.at, "a transfer that is not known"));
  if (with_sign(call.argument(2).bits, 32) < 0) return fail(machine, call, EINVAL, 64);
  Word asked = 0;
  bool known = true;
  for (Word i = 0; i < call.argument(2).bits && i < 1024; ++i) {
    const Value length = machine.memory.load(call.argument(1).bits + 16 * i + 8, 8);
    known = known && length.known();
    asked += length.bits;
  }
  File& file = machine.world.files[one->file];
  const Word where = placed ? call.argument(3).bits : writes && one->append ? file.size : one->position;
  const Word moved = writes ? asked : readable(machine, call, file, where, asked);
  move_bytes(machine, call, {writes ? Operation::kWrite : Operation::kRead, one->file, where, moved, known});
  if (!placed) one->position = where + moved;
  call.returns(Value::of(moved));
}

void seek_model(Machine& machine, Call& call) {
  Opened* one = opened_at(machine, call, 0);
  const Value offset = call.argument(1), from = call.argument(2);
  if (one == nullptr || !offset.known() || !from.known()) {
    if (one != nullptr) machine.access(call, {Operation::kSeek, one->file});
    return call.returns(machine.unknown(call.at, "a position in a file"));
  }
  if (from.bits > 2) {  // holes: there are none here
    machine.access(call, {Operation::kSeek, one->file});
    return call.returns(Value::of(from.bits == 3 ? offset.bits : machine.world.files[one->file].size));
  }
  const Word base = from.bits == 1 ? one->position : from.bits == 2 ? machine.world.files[one->file].size : 0;
  if (static_cast<std::int64_t>(base + offset.bits) < 0) return fail(machine, call, EINVAL, 64);
  one->position = base + offset.bits;
  machine.access(call, {Operation::kSeek, one->file});
  call.returns(Value::of(one->position));
}

template <Operation What>
void on_descriptor(Machine& machine, Call& call) {
  if (const Opened* one = opened_at(machine, call, 0)) machine.access(call, {What, one->file});
}

void truncate_model(Machine& machine, Call& call) {
  Opened* one = opened_at(machine, call, 0);
  if (one == nullptr) return;
  if (call.argument(1).known()) machine.world.files[one->file].size = call.argument(1).bits;
  else machine.world.files[one->file].size_known = false;
  machine.access(call, {Operation::kTruncate, one->file});
}

// A file becomes as large as what is reserved, unless a mode says that it stays as it is.
void allocate_model(Machine& machine, Call& call) {
  const Opened* one = opened_at(machine, call, 0);
  if (one == nullptr) return;
  File& file = machine.world.files[one->file];
  const std::size_t first = call.name.starts_with("posix_") ? 1 : 2;
  const Value offset = call.argument(first), bytes = call.argument(first + 1), mode = call.argument(1);
  if (first == 2 && mode.known() && lowest(mode.bits, 32) == 1) return;  // FALLOC_FL_KEEP_SIZE
  const bool plain = first == 1 || (mode.known() && lowest(mode.bits, 32) == 0);
  if (!plain || !offset.known() || !bytes.known()) file.size_known = false, file.content.reset();
  else if (offset.bits + bytes.bits > file.size) file.size = offset.bits + bytes.bits, file.original = false;
}

constexpr int kMostDescriptors = 1 << 20;  // that a process may have

// Standard streams are watched as such, and their descriptors are not.
void tell_duplicate(Machine& machine, Call& call, int copy) {
  const Opened* one = machine.world.at(copy);
  if (one == nullptr) return fail(machine, call, EBADF);
  if (!machine.world.files[one->file].standard) machine.access(call, {Operation::kDuplicate, one->file});
  call.returns(Value::of(static_cast<Word>(copy)));
}
void duplicate_from(Machine& machine, Call& call, Value least) {
  const Value descriptor = call.argument(0);
  if (!descriptor.known() || !least.known())
    return call.returns(machine.unknown(call.at, "a descriptor that is duplicated"));
  const auto from = with_sign(least.bits, 32);
  if (from < 0 || from >= kMostDescriptors) return fail(machine, call, EINVAL);
  tell_duplicate(machine, call, machine.world.duplicate(static_cast<int>(descriptor.bits), static_cast<int>(from)));
}
void dup_model(Machine& machine, Call& call) { duplicate_from(machine, call, Value::of(Word{0})); }
void dup_onto_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0), onto = call.argument(1);
  if (!descriptor.known() || !onto.known())
    return call.returns(machine.unknown(call.at, "a descriptor that is duplicated"));
  const auto from = static_cast<int>(descriptor.bits), to = static_cast<int>(onto.bits);
  if (from == to && call.name == "dup3") return fail(machine, call, EINVAL);
  if (to < 0 || to >= kMostDescriptors || !machine.world.duplicate_onto(from, to)) return fail(machine, call, EBADF);
  tell_duplicate(machine, call, to);
}

void control_model(Machine& machine, Call& call) {
  const Value command = call.argument(1);
  Opened* one = opened_at(machine, call, 0);
  if (!command.known() || (one == nullptr && !call.argument(0).known()))
    return call.returns(machine.unknown(call.at, "what fcntl did"));
  if (one == nullptr) return fail(machine, call, EBADF);
  const std::uint16_t flags = machine.world.files[one->file].flags;
  switch (static_cast<int>(command.bits)) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return duplicate_from(machine, call, call.argument(2));
    case F_SETFL: one->append = call.argument(2).known() && (call.argument(2).bits & O_APPEND) != 0; return;
    case F_GETFL:
      return call.returns(Value::of(static_cast<Word>((one->reads ? one->writes ? O_RDWR : O_RDONLY : O_WRONLY) |
                                                      (one->append ? O_APPEND : 0) |
                                                      ((flags & analyze::kUseDirect) != 0 ? O_DIRECT : 0))));
    default: return;
  }
}

void map_model(Machine& machine, Call& call) {
  const Value bytes = call.argument(1), descriptor = call.argument(4);
  const Word size = bytes.known() ? bytes.bits : 4096;
  const Word address = machine.world.take(size);
  if (descriptor.known() && with_sign(descriptor.bits, 32) >= 0) {
    if (const Opened* one = machine.world.at(static_cast<int>(descriptor.bits))) {
      machine.access(call, {Operation::kMap, one->file});
      fill_from_file(machine, call, machine.world.files[one->file], call.argument(5).bits, Value::of(address), size);
    }
  }
  call.returns(Value::of(address));
}

constexpr NamedModel kPosixModels[] = {
    {"open", open_model},
    {"open64", open_model},
    {"openat", openat_model},
    {"openat64", openat_model},
    {"__open_2", open_model},
    {"__open64_2", open_model},
    {"__openat_2", openat_model},
    {"__openat64_2", openat_model},
    {"creat", creat_model},
    {"creat64", creat_model},
    {"close", close_model},
    {"read", transfer_model},
    {"write", transfer_model},
    {"pread", transfer_model},
    {"pwrite", transfer_model},
    {"pread64", transfer_model},
    {"pwrite64", transfer_model},
    {"readv", vector_model},
    {"writev", vector_model},
    {"preadv", vector_model},
    {"pwritev", vector_model},
    {"pwritev64", vector_model},
    {"preadv64", vector_model},
    {"preadv2", vector_model},
    {"pwritev2", vector_model},
    {"preadv64v2", vector_model},
    {"pwritev64v2", vector_model},
    {"lseek", seek_model},
    {"lseek64", seek_model},
    {"fsync", on_descriptor<Operation::kSync>},
    {"fdatasync", on_descriptor<Operation::kDataSync>},
    {"ftruncate", truncate_model},
    {"ftruncate64", truncate_model},
    {"dup", dup_model},
    {"dup2", dup_onto_model},
    {"dup3", dup_onto_model},
    {"mmap", map_model},
    {"mmap64", map_model},
    {"munmap", succeeds},
    {"posix_fadvise", succeeds},
    {"posix_fadvise64", succeeds},
    {"fcntl", control_model},
    {"fcntl64", control_model},
    {"flock", succeeds},
    {"fallocate", allocate_model},
    {"fallocate64", allocate_model},
    {"posix_fallocate", allocate_model},
    {"posix_fallocate64", allocate_model},
    {"madvise", succeeds},
    {"msync", succeeds},
    {"sync", succeeds},
};

}  // namespace

int open_file(Machine& machine, const Call& call, const std::string& name, Word flags, Word mode) {
  const bool unknown = name.starts_with("<unknown"), nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (!unknown)
    if (const int error = why_not_opened(machine, name, flags); error != 0) return -error;
  const std::uint32_t number = nameless ? machine.world.nameless(name + "/<tmpfile>") : machine.world.file_named(name);
  File& file = machine.world.files[number];
  if (!file.exists || (flags & O_TRUNC) != 0) {
    const bool made = !file.exists;
    replace(machine, call, file);
    file.size_known = !unknown || (flags & O_TRUNC) != 0;
    if (made) file.mode = static_cast<std::uint32_t>(mode & ~Word{machine.world.mask} & 07777);
  }
  file.exists = true;
  file.flags = static_cast<std::uint16_t>(
      ((flags & O_DSYNC) != 0 ? analyze::kUseSynchronous : 0) |  // O_SYNC has its bit
      ((flags & O_DIRECT) != 0 ? analyze::kUseDirect : 0) | ((flags & O_APPEND) != 0 ? analyze::kUseAppend : 0));
  const int descriptor = machine.world.open(number);
  machine.world.at(descriptor)->append = (flags & O_APPEND) != 0;
  machine.world.at(descriptor)->reads = (flags & O_ACCMODE) != O_WRONLY;
  machine.world.at(descriptor)->writes = (flags & O_ACCMODE) != O_RDONLY;
  machine.access(call, {Operation::kOpen, number});
  return descriptor;
}

std::string name_in_folder(Machine& machine, Value folder, Value path) {
  const Opened* open = folder.known() ? machine.world.at(static_cast<int>(folder.bits)) : nullptr;
  Cause cause = path.cause;
  std::string given;
  if (!path.known() || path.bits == 0 || !machine.memory.text(path.bits, given, &cause))
    return "<unknown: " + machine.causes[cause].what + ">";
  return World::full_name(open == nullptr ? machine.world.here : machine.world.files[open->file].name, given);
}

Word writable(Machine& machine, const Call& call, Word where, Word asked) {
  if (machine.world.largest_file == ~Word{0}) return asked;
  machine.compare(call, where + asked, machine.world.largest_file);
  return where >= machine.world.largest_file ? 0 : std::min(asked, machine.world.largest_file - where);
}

std::span<const NamedModel> posix_models() { return kPosixModels; }

}  // namespace trikal::predict
