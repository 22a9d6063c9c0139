// std::filesystem, as far as it asks about files and changes names. A path begins with its text, a std::string.

#include <cerrno>
#include <filesystem>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

std::uint32_t file_at(Machine& machine, const Call& call, std::size_t index) {
  std::string name;
  const bool told = read_string(machine, call.argument(index), name);
  return machine.world.file_named(told ? machine.world.full_name(name) : "<unknown: a path>");
}

void look(Machine& machine, const Call& call, std::uint32_t number) {
  const File& file = machine.world.files[number];
  if (file.exists && !file.directory)
    machine.access(call, {Operation::kStat, number});  // of files alone, as after a run
}

// The error code of those that do not throw is the last argument: no error, but for those that say so.
void say(Machine& machine, const Call& call, std::size_t index, int error) {
  if (call.argument(index).known())
    machine.memory.store(call.argument(index).bits, 4, Value::of(static_cast<Word>(error)));
}

template <bool Code>
void status_model(Machine& machine, Call& call) {  // its type in the lowest byte
  constexpr Word kNotFound = 0xff, kRegular = 1, kDirectory = 2;
  const std::uint32_t number = file_at(machine, call, 0);
  look(machine, call, number);
  const File& file = machine.world.files[number];
  if (Code) say(machine, call, 1, file.exists ? 0 : ENOENT);
  call.returns(Value::of(!file.exists ? kNotFound : (file.directory ? kDirectory : kRegular) | Word{0644} << 32U));
}

template <bool Code>
void size_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_at(machine, call, 0);
  look(machine, call, number);
  const File& file = machine.world.files[number];
  if (Code) say(machine, call, 1, file.exists ? 0 : ENOENT);
  if (!file.size_known) return call.returns(machine.unknown(call.at, "the size of " + file.name));
  machine.told_of_file(call, number, file.size);
  call.returns(Value::of(file.exists ? file.size : ~Word{0}));
}

[[noreturn]] void throws(Machine& machine, const std::string& what) {
  machine.note("std::filesystem throws: " + what + "; what comes after it is not predicted");
  machine.complete = false;
  machine.leave(1);
}

// Whether it was made; not, where it was there already.
bool make_new_folder(Machine& machine, const Call& call, std::uint32_t number) {
  if (machine.world.files[number].exists) return false;
  make_folder(machine, call, number);
  return true;
}
template <bool Code>
void create_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_at(machine, call, 0);
  const std::string name = machine.world.files[number].name;
  const int error = why_not_made(machine, name);
  const bool there = error == EEXIST && machine.world.files[number].directory;
  if (Code) say(machine, call, 1, there ? 0 : error);
  else if (error != 0 && !there) throws(machine, "a folder cannot be made: " + name);
  call.returns(Value::of(Word{error == 0 && make_new_folder(machine, call, number)}));
}
template <bool Code>
void create_all_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_at(machine, call, 0);
  const std::filesystem::path whole = machine.world.real_name(machine.world.files[number].name);
  std::filesystem::path part;
  bool made = false;
  for (const auto& step : whole) {
    part /= step;
    made = make_new_folder(machine, call, machine.world.file_named(part.string()));
  }
  if (Code) say(machine, call, 1, 0);
  call.returns(Value::of(Word{made}));
}

template <bool Code>
void remove_model(Machine& machine, Call& call) {
  const File& file = machine.world.files[file_at(machine, call, 0)];
  const std::string name = file.name;
  const bool link = !machine.world.link_at(name).empty();
  const int error = remove_entry(machine, call, name, file.directory && !link);
  const bool missing = error == ENOENT || error == ENOTDIR;
  if (Code) say(machine, call, 1, missing ? 0 : error);
  else if (error != 0 && !missing) throws(machine, "a folder is not empty: " + name);
  call.returns(Value::of(Word{error == 0}));
}

template <bool Code>
void rename_model(Machine& machine, Call& call) {
  const std::string from = machine.world.files[file_at(machine, call, 0)].name;
  const std::string to = machine.world.files[file_at(machine, call, 1)].name;
  const int error = rename_entry(machine, call, from, to);
  if (Code) say(machine, call, 2, error);
  else if (error != 0) throws(machine, "a file cannot be renamed: " + from);
}

template <bool Code>
void go_model(Machine& machine, Call& call) {
  const std::string name = machine.world.files[file_at(machine, call, 0)].name;
  int error = why_missing(machine, name);
  if (error == 0 && !machine.world.files[machine.world.file_named(name)].directory) error = ENOTDIR;
  if (Code) say(machine, call, 1, error);
  else if (error != 0) throws(machine, "there is no folder " + name);
  if (error == 0) machine.world.here = machine.world.real_name(name);
}
template <bool Code>
void symlink_model(Machine& machine, Call& call) {
  std::string target;
  const std::string name = machine.world.files[file_at(machine, call, 1)].name;
  if (!read_string(machine, call.argument(0), target)) return machine.note("where a link leads to is not known");
  const int error = why_not_made(machine, name);
  if (Code) say(machine, call, 2, error);
  else if (error != 0) throws(machine, "a link cannot be made: " + name);
  if (error == 0) machine.world.make_link(name, target), machine.changed_names(call, machine.world.file_named(name));
}
template <bool Code>
void link_model(Machine& machine, Call& call) {
  const std::uint32_t from = file_at(machine, call, 0);
  const std::string name = machine.world.files[file_at(machine, call, 1)].name;
  const int error = machine.world.files[from].exists ? why_not_made(machine, name) : ENOENT;
  if (Code) say(machine, call, 2, error);
  else if (error != 0) throws(machine, "a link cannot be made: " + name);
  if (error == 0) machine.world.join(name, from), machine.changed_names(call, from);
}

// Looked at, opened both, and copied by the system at once. It fails where the copy is there already, unless it may be replaced.
void copy_model(Machine& machine, Call& call) {
  constexpr Word kSkips = 1, kReplaces = 2;
  const std::uint32_t from = file_at(machine, call, 0), to = file_at(machine, call, 1);
  const Word options = call.argument(2).bits;
  call.returns(Value::of(Word{0}));
  look(machine, call, from), look(machine, call, to);
  const bool there = machine.world.files[to].exists;
  if (!machine.world.files[from].exists || (there && (options & kReplaces) == 0)) {
    if (!there || (options & kSkips) == 0) machine.note("std::filesystem::copy_file fails");
    return;
  }
  machine.access(call, {Operation::kOpen, from});
  machine.access(call, {Operation::kOpen, to});
  const File source = machine.world.files[from];
  File& target = machine.world.files[to];
  make_empty(target);
  target.exists = target.opened = true, target.size_known = source.size_known;
  std::string data;
  const bool told = source.size_known && bytes_of_file(source, 0, source.size, data);
  move_bytes(machine, call, {Operation::kRead, from, 0, source.size, source.size_known});
  move_bytes(machine, call, {Operation::kWrite, to, 0, source.size, source.size_known, told ? &data : nullptr});
  machine.access(call, {Operation::kClose, to});
  machine.access(call, {Operation::kClose, from});
  call.returns(Value::of(Word{1}));
}

#define TRIKAL_PATH "ERKNS_7__cxx114pathE"
#define TRIKAL_CODE "RSt10error_code"
constexpr NamedModel kCppFilesystemModels[] = {
    {"_ZNSt10filesystem6status" TRIKAL_PATH, status_model<false>},
    {"_ZNSt10filesystem6status" TRIKAL_PATH TRIKAL_CODE, status_model<true>},
    {"_ZNSt10filesystem9file_size" TRIKAL_PATH, size_model<false>},
    {"_ZNSt10filesystem9file_size" TRIKAL_PATH TRIKAL_CODE, size_model<true>},
    {"_ZNSt10filesystem16create_directory" TRIKAL_PATH, create_model<false>},
    {"_ZNSt10filesystem16create_directory" TRIKAL_PATH TRIKAL_CODE, create_model<true>},
    {"_ZNSt10filesystem18create_directories" TRIKAL_PATH, create_all_model<false>},
    {"_ZNSt10filesystem18create_directories" TRIKAL_PATH TRIKAL_CODE, create_all_model<true>},
    {"_ZNSt10filesystem6remove" TRIKAL_PATH, remove_model<false>},
    {"_ZNSt10filesystem6remove" TRIKAL_PATH TRIKAL_CODE, remove_model<true>},
    {"_ZNSt10filesystem6rename" TRIKAL_PATH "S3_", rename_model<false>},
    {"_ZNSt10filesystem6rename" TRIKAL_PATH "S3_" TRIKAL_CODE, rename_model<true>},
    {"_ZNSt10filesystem12current_path" TRIKAL_PATH, go_model<false>},
    {"_ZNSt10filesystem12current_path" TRIKAL_PATH TRIKAL_CODE, go_model<true>},
    {"_ZNSt10filesystem14create_symlink" TRIKAL_PATH "S3_", symlink_model<false>},
    {"_ZNSt10filesystem14create_symlink" TRIKAL_PATH "S3_" TRIKAL_CODE, symlink_model<true>},
    {"_ZNSt10filesystem24create_directory_symlink" TRIKAL_PATH "S3_", symlink_model<false>},
    {"_ZNSt10filesystem24create_directory_symlink" TRIKAL_PATH "S3_" TRIKAL_CODE, symlink_model<true>},
    {"_ZNSt10filesystem16create_hard_link" TRIKAL_PATH "S3_", link_model<false>},
    {"_ZNSt10filesystem16create_hard_link" TRIKAL_PATH "S3_" TRIKAL_CODE, link_model<true>},
    {"_ZNSt10filesystem9copy_file" TRIKAL_PATH "S3_NS_12copy_optionsE", copy_model},
};
#undef TRIKAL_PATH
#undef TRIKAL_CODE

}  // namespace

std::span<const NamedModel> cpp_filesystem_models() { return kCppFilesystemModels; }

}  // namespace trikal::predict
