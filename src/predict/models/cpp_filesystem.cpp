// std::filesystem, as far as it asks about files and changes names. A path begins with its text, a std::string.

#include <cerrno>
#include <filesystem>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

std::uint32_t file_at(Machine& machine, const Call& call, std::size_t place) {
  std::string name;
  const bool told = read_string(machine, call.argument(place), name);
  return machine.world.file_named(told ? full_name(name) : "<unknown: a path>");
}

void look(Machine& machine, const Call& call, std::uint32_t number) {
  const File& file = machine.world.files[number];
  if (file.exists && !file.directory)
    machine.access(call, {Operation::kStat, number});  // of files alone, as after a run
}

// The error code of those that do not throw is the last argument: no error, but for those that say so.
void say(Machine& machine, const Call& call, std::size_t place, int error) {
  if (call.argument(place).known())
    machine.memory.store(call.argument(place).bits, 4, Value::of(static_cast<Word>(error)));
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
  call.returns(Value::of(file.exists ? file.size : ~Word{0}));
}

bool make_folder(Machine& machine, std::uint32_t number) {
  File& file = machine.world.files[number];
  if (file.exists) return false;
  return file.exists = file.directory = true;
}
template <bool Code>
void create_model(Machine& machine, Call& call) {
  if (Code) say(machine, call, 1, 0);
  call.returns(Value::of(Word{make_folder(machine, file_at(machine, call, 0))}));
}
template <bool Code>
void create_all_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_at(machine, call, 0);
  const std::filesystem::path whole = machine.world.files[number].name;
  std::filesystem::path part;
  bool made = false;
  for (const auto& step : whole) {
    part /= step;
    made = make_folder(machine, machine.world.file_named(part.string()));
  }
  if (Code) say(machine, call, 1, 0);
  call.returns(Value::of(Word{made}));
}

template <bool Code>
void remove_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_at(machine, call, 0);
  File& file = machine.world.files[number];
  if (Code) say(machine, call, 1, 0);
  call.returns(Value::of(Word{file.exists}));
  if (!file.exists) return;
  machine.access(call, {Operation::kRemove, number});
  file.exists = file.original = false;
  file.size = 0;
}

void rename_model(Machine& machine, Call& call) {
  const std::uint32_t from = file_at(machine, call, 0), to = file_at(machine, call, 1);
  File &source = machine.world.files[from], &target = machine.world.files[to];
  if (!source.exists) return;
  machine.access(call, {Operation::kRename, from});
  target.exists = true, target.size = source.size, target.size_known = source.size_known, target.original = false;
  target.directory = source.directory, target.content = source.content;
  source.exists = source.original = false, source.size = 0;
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
constexpr NamedModel kModels[] = {
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
    {"_ZNSt10filesystem6rename" TRIKAL_PATH "S3_", rename_model},
    {"_ZNSt10filesystem9copy_file" TRIKAL_PATH "S3_NS_12copy_optionsE", copy_model},
};
#undef TRIKAL_PATH
#undef TRIKAL_CODE

}  // namespace

std::span<const NamedModel> cpp_filesystem_models() { return kModels; }

}  // namespace trikal::predict
