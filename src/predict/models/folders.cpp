// Folders, entry by entry. A DIR is a piece of the heap: its descriptor, where the next entry is, and all of them.

#include "predict/models/folders.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

static_assert(kLongestEntry == sizeof(dirent) && sizeof(dirent) == sizeof(dirent64));
constexpr Word kDescriptor = 0, kNext = 8, kEnd = 16, kFirst = 24, kStreamBytes = 32;
constexpr Word kLengthInEntry = offsetof(dirent, d_reclen), kNameInEntry = offsetof(dirent, d_name);

Word entry_bytes(const FolderEntry& entry) { return (kNameInEntry + entry.name.size() + 1 + 7) / 8 * 8; }

unsigned char type_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::kFile: return DT_REG;
    case EntryKind::kFolder: return DT_DIR;
    case EntryKind::kLink: return DT_LNK;
    case EntryKind::kOther: break;
  }
  return DT_UNKNOWN;
}

// All entries as they are now.
void read_all(Machine& machine, Word stream, const std::string& folder) {
  const std::vector<FolderEntry> entries = listed_entries(machine, folder);
  Word bytes = 0;
  for (const FolderEntry& one : entries) bytes += entry_bytes(one);
  if (const Word old = machine.memory.load(stream + kFirst, 8).bits; old != 0) machine.world.give_back(old);
  const Word first = machine.world.take(bytes + kLongestEntry);
  Word at = first;
  for (const FolderEntry& one : entries) at = put_entry(machine, at, one);
  machine.memory.store(stream + kFirst, 8, Value::of(first));
  machine.memory.store(stream + kNext, 8, Value::of(first));
  machine.memory.store(stream + kEnd, 8, Value::of(at));
}

Word make_stream(Machine& machine, int descriptor) {
  const Word stream = machine.world.take(kStreamBytes);
  machine.memory.fill(stream, kStreamBytes, 0);
  machine.memory.store(stream + kDescriptor, 4, Value::of(static_cast<Word>(descriptor)));
  read_all(machine, stream, machine.world.files[machine.world.at(descriptor)->file].name);
  return stream;
}

void opendir_model(Machine& machine, Call& call) {
  const Named name = named(machine, call, 0);
  if (unclear(machine, call, name)) {
    machine.note("a folder is gone through whose name is not known");
    return;
  }
  if (const int error = why_missing(machine, name.name); error != 0) return fail_pointer(machine, call, error);
  const std::uint32_t number = machine.world.file_named(name.name);
  if (!machine.world.files[number].directory) return fail_pointer(machine, call, ENOTDIR);
  const int descriptor = machine.world.open(number);
  machine.world.at(descriptor)->listed = true;
  call.returns(Value::of(make_stream(machine, descriptor)));
}
void fdopendir_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  if (!descriptor.known()) return call.returns(machine.unknown(call.at, "what a descriptor stands for"));
  const Opened* one = machine.world.at(static_cast<int>(descriptor.bits));
  if (one == nullptr) return fail_pointer(machine, call, EBADF);
  if (!machine.world.files[one->file].directory) return fail_pointer(machine, call, ENOTDIR);
  call.returns(Value::of(make_stream(machine, static_cast<int>(descriptor.bits))));
}

// The open folder behind a DIR; nothing: it is not known, and the call says so.
const Opened* folder_at(Machine& machine, Call& call) {
  const Value stream = call.argument(0);
  const Value descriptor = stream.known() ? machine.memory.load(stream.bits + kDescriptor, 4) : stream;
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) call.returns(machine.unknown(call.at, "an entry of a folder that is not known"));
  return one;
}

// Where the next entry lies; 0: there is none.
Word next_entry(Machine& machine, const Call& call) {
  const Word stream = call.argument(0).bits;
  const Word at = machine.memory.load(stream + kNext, 8).bits, end = machine.memory.load(stream + kEnd, 8).bits;
  machine.wrote_text(call, at,
                     end - at);  // each entry is another: no iteration of a loop over them is like the one before
  if (at >= end) return 0;
  machine.memory.store(stream + kNext, 8, Value::of(at + machine.memory.load(at + kLengthInEntry, 2).bits));
  return at;
}

void readdir_model(Machine& machine, Call& call) {
  if (folder_at(machine, call) != nullptr) call.returns(Value::of(next_entry(machine, call)));
}
void readdir_r_model(Machine& machine, Call& call) {
  const Value into = call.argument(1), result = call.argument(2);
  if (folder_at(machine, call) == nullptr || !into.known() || !result.known()) return;
  const Word entry = next_entry(machine, call);
  if (entry != 0) machine.memory.copy(into.bits, entry, machine.memory.load(entry + kLengthInEntry, 2).bits);
  machine.memory.store(result.bits, 8, Value::of(entry != 0 ? into.bits : 0));
  call.returns(Value::of(Word{0}));
}
void rewinddir_model(Machine& machine, Call& call) {
  if (const Opened* one = folder_at(machine, call))
    read_all(machine, call.argument(0).bits, machine.world.files[one->file].name);
}
void telldir_model(Machine& machine, Call& call) {
  const Word stream = call.argument(0).bits;
  if (folder_at(machine, call) == nullptr) return;
  call.returns(Value::of(machine.memory.load(stream + kNext, 8).bits - machine.memory.load(stream + kFirst, 8).bits));
}
void seekdir_model(Machine& machine, Call& call) {
  const Word stream = call.argument(0).bits;
  if (folder_at(machine, call) == nullptr || !call.argument(1).known()) return;
  machine.memory.store(stream + kNext, 8,
                       Value::of(machine.memory.load(stream + kFirst, 8).bits + call.argument(1).bits));
}
void dirfd_model(Machine& machine, Call& call) {
  if (folder_at(machine, call) != nullptr) call.returns(machine.memory.load(call.argument(0).bits + kDescriptor, 4));
}
void closedir_model(Machine& machine, Call& call) {
  const Opened* one = folder_at(machine, call);
  if (one == nullptr) return;
  const Word stream = call.argument(0).bits;
  if (!one->listed) machine.access(call, {Operation::kClose, one->file});
  machine.world.close(static_cast<int>(machine.memory.load(stream + kDescriptor, 4).bits));
  machine.world.give_back(machine.memory.load(stream + kFirst, 8).bits);
  machine.world.give_back(stream);
  call.returns(Value::of(Word{0}));
}

// Entries as a comparison gets them: pointers to pointers.
template <int (*Order)(const char*, const char*)>
void order_model(Machine& machine, Call& call) {
  std::string names[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Value at = call.argument(i).known() ? machine.memory.load(call.argument(i).bits, 8) : call.argument(i);
    if (!at.known() || !machine.memory.text(at.bits + kNameInEntry, names[i]))
      return call.returns(machine.unknown(call.at, "the order of entries"));
  }
  call.returns(Value::of(lowest(static_cast<Word>(Order(names[0].c_str(), names[1].c_str())), 32)));
}

// (folder, list, filter, order), or with a descriptor before them
void scandir_model(Machine& machine, Call& call) {
  const std::size_t first = call.name.starts_with("scandirat") ? 1 : 0;
  const Named name = first == 1 ? named_in(machine, call, 0, 1) : named(machine, call, 0);
  const Value list = call.argument(first + 1), filter = call.argument(first + 2), order = call.argument(first + 3);
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name) || !list.known() || !filter.known() || !order.known())
    return call.returns(machine.unknown(call.at, "what is in a folder"));
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  if (!machine.world.files[machine.world.file_named(name.name)].directory) return fail(machine, call, ENOTDIR);
  std::vector<Word> kept;
  for (const FolderEntry& one : listed_entries(machine, name.name)) {
    const Word entry = machine.world.take(entry_bytes(one));
    put_entry(machine, entry, one);
    const Value argument = Value::of(entry);
    const auto passes =
        filter.bits == 0 ? std::vector{Value::of(Word{1})} : machine.invoke(filter.bits, std::span(&argument, 1), call);
    if (passes.empty() || !passes[0].known())
      return call.returns(machine.unknown(call.at, "which entries of a folder are taken"));
    if (lowest(passes[0].bits, 32) != 0) kept.push_back(entry);
    else machine.world.give_back(entry);
  }
  const Word table = machine.world.take(8 * kept.size() + 8);
  for (std::size_t i = 0; i < kept.size(); ++i) machine.memory.store(table + 8 * i, 8, Value::of(kept[i]));
  machine.memory.store(list.bits, 8, Value::of(table));
  if (order.bits != 0) sort_elements(machine, call, {table, kept.size(), 8}, order);
  call.returns(Value::of(Word{kept.size()}));
}

constexpr NamedModel kFoldersModels[] = {
    {"opendir", opendir_model},
    {"fdopendir", fdopendir_model},
    {"readdir", readdir_model},
    {"readdir64", readdir_model},
    {"readdir_r", readdir_r_model},
    {"readdir64_r", readdir_r_model},
    {"rewinddir", rewinddir_model},
    {"telldir", telldir_model},
    {"seekdir", seekdir_model},
    {"dirfd", dirfd_model},
    {"closedir", closedir_model},
    {"scandir", scandir_model},
    {"scandir64", scandir_model},
    {"scandirat", scandir_model},
    {"scandirat64", scandir_model},
    {"alphasort", order_model<::strcmp>},
    {"alphasort64", order_model<::strcmp>},
    {"versionsort", order_model<::strverscmp>},
    {"versionsort64", order_model<::strverscmp>},
};

}  // namespace

std::vector<FolderEntry> listed_entries(Machine& machine, const std::string& folder) {
  const std::string real = machine.world.real_name(folder);
  if (machine.world.has_families_in(real)) {
    machine.note("more files were made in " + real + " than are followed one by one; who goes through it misses some");
    machine.complete = false;
  }
  std::vector<FolderEntry> all = {{".", EntryKind::kFolder, 1}, {"..", EntryKind::kFolder, 1}};
  for (FolderEntry& one : entries_of(machine.world, real)) all.push_back(std::move(one));
  return all;
}

Word put_entry(Machine& machine, Word address, const FolderEntry& entry) {
  dirent out{};
  out.d_ino = entry.inode != 0 ? entry.inode : std::hash<std::string>{}(entry.name) | 1;
  out.d_reclen = static_cast<unsigned short>(entry_bytes(entry));
  out.d_off = static_cast<off_t>(address + out.d_reclen);
  out.d_type = type_of(entry.kind);
  machine.memory.write(address, &out, kNameInEntry);
  machine.memory.write(address + kNameInEntry, entry.name.c_str(), entry.name.size() + 1);
  return address + out.d_reclen;
}

std::span<const NamedModel> folder_models() { return kFoldersModels; }

}  // namespace trikal::predict
