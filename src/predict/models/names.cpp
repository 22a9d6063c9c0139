// Files by name.

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void missing(Machine& machine, Call& call) { fail(machine, call, ENOENT); }

constexpr dev_t kNewDevice = 42;

void put_stat(Machine& machine, const Call& call, Value where, const File& file) {
  if (!where.known()) return;
  struct stat told{};
  if (!file.original || ::stat(file.name.c_str(), &told) != 0) {  // made by the program
    told.st_dev = kNewDevice;
    told.st_ino = std::hash<std::string>{}(file.name) | 1;
    told.st_mode = file.directory ? S_IFDIR | 0755 : S_IFREG | 0644;
    told.st_nlink = 1;
    told.st_uid = getuid(), told.st_gid = getgid();
    told.st_blksize = 4096;
    told.st_mtim.tv_sec = static_cast<time_t>(machine.world.ticks / 1'000'000'000);
  }
  told.st_size = static_cast<off_t>(file.size);
  told.st_blocks = (told.st_size + 511) / 512;
  machine.memory.write(where.bits, &told, sizeof told);
  if (!file.size_known)
    machine.memory.forget(where.bits + offsetof(struct stat, st_size), 8,
                          machine.unknown(call.at, "the size of " + file.name).cause);
}

void stat_name(Machine& machine, Call& call, std::size_t path, std::size_t buffer) {
  const std::uint32_t number = machine.world.file_named(name_argument(machine, call, path));
  const File& file = machine.world.files[number];
  if (!file.exists) return missing(machine, call);
  if (!file.directory) machine.access(call, {Operation::kStat, number});  // of files alone, as after a run
  put_stat(machine, call, call.argument(buffer), file);
}

void stat_model(Machine& machine, Call& call) { stat_name(machine, call, 0, 1); }
void fstatat_model(Machine& machine, Call& call) { stat_name(machine, call, 1, 2); }

void fstat_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return call.returns(machine.unknown(call.at, "what a descriptor stands for"));
  if (!machine.world.files[one->file].directory) machine.access(call, {Operation::kStat, one->file});
  put_stat(machine, call, call.argument(1), machine.world.files[one->file]);
}

void access_model(Machine& machine, Call& call) {
  if (!machine.world.files[machine.world.file_named(name_argument(machine, call, 0))].exists) missing(machine, call);
}

void unlink_model(Machine& machine, Call& call) {
  const std::uint32_t number = machine.world.file_named(name_argument(machine, call, 0));
  File& file = machine.world.files[number];
  if (!file.exists) return missing(machine, call);
  machine.access(call, {Operation::kRemove, number});
  file.exists = file.original = false;
  file.size = 0;
}

void rename_model(Machine& machine, Call& call) {
  const std::uint32_t from = machine.world.file_named(name_argument(machine, call, 0));
  const std::uint32_t to = machine.world.file_named(name_argument(machine, call, 1));
  File &source = machine.world.files[from], &target = machine.world.files[to];
  if (!source.exists) return missing(machine, call);
  machine.access(call, {Operation::kRename, from});
  target.exists = true, target.size = source.size, target.size_known = source.size_known, target.original = false;
  target.content = source.content;
  source.exists = source.original = false, source.size = 0;
}

void temporary_model(Machine& machine, Call& call) {
  std::string name;
  if (!text_argument(machine, call, 0, name))
    return call.returns(machine.unknown(call.at, "the name of a temporary file"));
  const std::size_t marks = name.rfind("XXXXXX");
  if (marks != std::string::npos) name.replace(marks, 6, "000000");
  machine.memory.write(call.argument(0).bits, name.c_str(), name.size() + 1);
  const std::uint32_t number = machine.world.file_named(full_name(name));
  File& file = machine.world.files[number];
  make_empty(file);
  file.exists = true;
  machine.access(call, {Operation::kOpen, number});
  call.returns(Value::of(static_cast<Word>(machine.world.open(number))));
}

void directory_made(Machine& machine, Call& call) {
  File& file = machine.world.files[machine.world.file_named(name_argument(machine, call, 0))];
  if (file.exists) return fail(machine, call, EEXIST);
  file.exists = file.directory = true;
}

void truncate_model(Machine& machine, Call& call) {
  File& file = machine.world.files[machine.world.file_named(name_argument(machine, call, 0))];
  if (!file.exists) return missing(machine, call);
  if (call.argument(1).known()) file.size = call.argument(1).bits;
  file.original = false;
  file.content.reset();
}
constexpr NamedModel kModels[] = {
    {"truncate", truncate_model},
    {"truncate64", truncate_model},
    {"link", succeeds},
    {"symlink", succeeds},
    {"chown", succeeds},
    {"utime", succeeds},
    {"utimes", succeeds},
    {"utimensat", succeeds},
    {"fchmod", succeeds},
    {"stat", stat_model},
    {"stat64", stat_model},
    {"lstat", stat_model},
    {"lstat64", stat_model},
    {"fstatat", fstatat_model},
    {"fstatat64", fstatat_model},
    {"fstat", fstat_model},
    {"fstat64", fstat_model},
    {"access", access_model},
    {"unlink", unlink_model},
    {"remove", unlink_model},
    {"rename", rename_model},
    {"mkstemp", temporary_model},
    {"mkstemp64", temporary_model},
    {"mkdir", directory_made},
    {"rmdir", unlink_model},
};

}  // namespace

std::span<const NamedModel> name_models() { return kModels; }

}  // namespace trikal::predict
