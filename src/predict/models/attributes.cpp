// What files are, by name and by descriptor: asked for and changed.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr dev_t kNewDevice = 42;
constexpr Word kBlock = 512, kPage = 4096;

std::uint32_t permissions(const Machine& machine, const File& file) {
  if (file.mode != 0) return file.mode & 07777;
  return (file.directory ? 0777U : 0666U) & ~machine.world.mask;
}

struct stat told_of(Machine& machine, const File& file, const std::string& link) {
  struct stat told{};
  const bool on_disk = link.empty() ? (file.original || (file.directory && file.mode == 0)) &&
                                          ::stat(path_on_disk(file).c_str(), &told) == 0
                                    : ::lstat(file.name.c_str(), &told) == 0 && S_ISLNK(told.st_mode);
  if (!on_disk) {  // made by the program
    told = {};
    told.st_dev = kNewDevice;
    told.st_ino = std::hash<std::string>{}(machine.world.real_name(file.name, link.empty())) | 1;
    told.st_mode = (file.directory ? S_IFDIR : S_IFREG) | permissions(machine, file);
    told.st_nlink = file.directory ? 2 : std::max<Word>(1, machine.world.count_names(file));
    told.st_uid = getuid(), told.st_gid = getgid();
    told.st_blksize = kPage;
    told.st_mtim.tv_sec = static_cast<time_t>(machine.world.ticks / 1'000'000'000);
    told.st_atim = told.st_ctim = told.st_mtim;
  }
  if (!link.empty()) {
    told.st_mode = S_IFLNK | 0777;
    told.st_size = static_cast<off_t>(link.size());
    told.st_nlink = 1;
    return told;
  }
  if (file.mode != 0) told.st_mode = (told.st_mode & S_IFMT) | (file.mode & 07777);
  told.st_size = static_cast<off_t>(file.size);
  if (!on_disk) told.st_blocks = static_cast<blkcnt_t>((file.size + kPage - 1) / kPage * (kPage / kBlock));
  return told;
}

// The file that a call is about, and what is in the link where it is about that.
struct Asked {
  std::uint32_t file = kNoFile;
  std::string link;
};

bool look_at(Machine& machine, Call& call, const Named& name, bool follow, Value buffer, Asked& out) {
  if (name.error != 0) return fail(machine, call, name.error), false;
  if (unclear(machine, call, name))
    return machine.forget_behind(call, buffer, "what is known of a file whose name is not known"), false;
  if (!follow && !name.name.ends_with('/')) out.link = machine.world.link_at(name.name);
  if (out.link.empty())
    if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error), false;
  out.file = machine.world.file_named(name.name);
  // Of files alone, as after a run.
  if (out.link.empty() && !machine.world.files[out.file].directory) machine.access(call, {Operation::kStat, out.file});
  return true;
}

bool look_at_descriptor(Machine& machine, Call& call, Value descriptor, Value buffer, Asked& out) {
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr && descriptor.known()) return fail(machine, call, EBADF), false;
  if (one == nullptr) {
    machine.forget_behind(call, buffer, "what is known of a descriptor");
    return call.returns(machine.unknown(call.at, "what a descriptor stands for")), false;
  }
  out.file = one->file;
  if (!machine.world.files[one->file].directory) machine.access(call, {Operation::kStat, one->file});
  return true;
}

void stat_named(Machine& machine, Call& call, const Named& name, bool follow, Value buffer) {
  Asked asked;
  if (look_at(machine, call, name, follow, buffer, asked)) put_stat(machine, call, buffer, asked.file, asked.link);
}

template <bool Follow, std::size_t First>
void stat_model(Machine& machine, Call& call) {
  stat_named(machine, call, named(machine, call, First), Follow, call.argument(First + 1));
}
template <std::size_t First>
void fstat_model(Machine& machine, Call& call) {
  Asked asked;
  if (look_at_descriptor(machine, call, call.argument(First), call.argument(First + 1), asked))
    put_stat(machine, call, call.argument(First + 1), asked.file);
}

// An empty name is about the descriptor itself.
bool about_descriptor(Machine& machine, const Call& call, std::size_t path, Value flags) {
  std::string name;
  return (flags.bits & AT_EMPTY_PATH) != 0 &&
         (call.argument(path).bits == 0 || text_argument(machine, call, path, name)) && name.empty();
}

template <std::size_t First>
void fstatat_model(Machine& machine, Call& call) {
  const Value flags = call.argument(First + 3), buffer = call.argument(First + 2);
  Asked asked;
  const bool there = about_descriptor(machine, call, First + 1, flags)
                         ? look_at_descriptor(machine, call, call.argument(First), buffer, asked)
                         : look_at(machine, call, named_in(machine, call, First, First + 1),
                                   (flags.bits & AT_SYMLINK_NOFOLLOW) == 0, buffer, asked);
  if (there) put_stat(machine, call, buffer, asked.file, asked.link);
}

void statx_model(Machine& machine, Call& call) {  // folder, path, flags, mask, buffer
  const Value flags = call.argument(2), buffer = call.argument(4);
  Asked asked;
  const bool there = about_descriptor(machine, call, 1, flags)
                         ? look_at_descriptor(machine, call, call.argument(0), buffer, asked)
                         : look_at(machine, call, named_in(machine, call, 0, 1),
                                   (flags.bits & AT_SYMLINK_NOFOLLOW) == 0, buffer, asked);
  if (!there || !buffer.known()) return;
  const File& file = machine.world.files[asked.file];
  const struct stat told = told_of(machine, file, asked.link);
  struct statx out{};
  out.stx_mask = STATX_BASIC_STATS;
  out.stx_blksize = static_cast<std::uint32_t>(told.st_blksize);
  out.stx_nlink = static_cast<std::uint32_t>(told.st_nlink);
  out.stx_uid = told.st_uid, out.stx_gid = told.st_gid;
  out.stx_mode = static_cast<std::uint16_t>(told.st_mode);
  out.stx_ino = told.st_ino, out.stx_size = static_cast<std::uint64_t>(told.st_size);
  out.stx_blocks = static_cast<std::uint64_t>(told.st_blocks);
  out.stx_mtime.tv_sec = told.st_mtim.tv_sec, out.stx_mtime.tv_nsec = static_cast<std::uint32_t>(told.st_mtim.tv_nsec);
  out.stx_atime = out.stx_ctime = out.stx_mtime;
  out.stx_dev_major = major(told.st_dev), out.stx_dev_minor = minor(told.st_dev);
  machine.memory.write(buffer.bits, &out, sizeof out);
  machine.told_of_file(call, asked.file, out.stx_size);
  if (!file.size_known && asked.link.empty())
    machine.memory.forget(buffer.bits + offsetof(struct statx, stx_size), 8,
                          machine.unknown(call.at, "the size of " + file.name).cause);
}

void access_named(Machine& machine, Call& call, const Named& name, Value how) {
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  const File& file = machine.world.files[machine.world.file_named(name.name)];
  if (how.known() && !permitted(machine, file, static_cast<int>(how.bits))) fail(machine, call, EACCES);
}
void access_model(Machine& machine, Call& call) {
  access_named(machine, call, named(machine, call, 0), call.argument(1));
}
void faccessat_model(Machine& machine, Call& call) {
  access_named(machine, call, named_in(machine, call, 0, 1), call.argument(2));
}

// Changes what is known of a file, but for its bytes.
template <class Change>
void change_named(Machine& machine, Call& call, const Named& name, Change change) {
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  change(machine.world.files[machine.world.file_named(name.name)]);
}
template <class Change>
void change_descriptor(Machine& machine, Call& call, Change change) {
  const Value descriptor = call.argument(0);
  if (!descriptor.known()) return call.returns(machine.unknown(call.at, "what a descriptor stands for"));
  const Opened* one = machine.world.at(static_cast<int>(descriptor.bits));
  if (one == nullptr) return fail(machine, call, EBADF);
  change(machine.world.files[one->file]);
}
auto mode_from(Value mode) {
  constexpr Word kNothing = 010000;  // permissions that were taken away, unlike such that are not known
  return [mode](File& file) {
    if (mode.known()) file.mode = static_cast<std::uint32_t>((mode.bits & 07777) != 0 ? mode.bits & 07777 : kNothing);
  };
}
void sets_times(File& file) { file.times_set = true; }
void keeps_owner(File&) {}

void chmod_model(Machine& machine, Call& call) {
  change_named(machine, call, named(machine, call, 0), mode_from(call.argument(1)));
}
void fchmodat_model(Machine& machine, Call& call) {
  change_named(machine, call, named_in(machine, call, 0, 1), mode_from(call.argument(2)));
}
void fchmod_model(Machine& machine, Call& call) { change_descriptor(machine, call, mode_from(call.argument(1))); }
void chown_model(Machine& machine, Call& call) { change_named(machine, call, named(machine, call, 0), keeps_owner); }
void lchown_model(Machine& machine, Call& call) {
  if (!entry_exists(machine, named(machine, call, 0).name)) chown_model(machine, call);
}
void fchownat_model(Machine& machine, Call& call) {
  change_named(machine, call, named_in(machine, call, 0, 1), keeps_owner);
}
void fchown_model(Machine& machine, Call& call) { change_descriptor(machine, call, keeps_owner); }
void utime_model(Machine& machine, Call& call) { change_named(machine, call, named(machine, call, 0), sets_times); }
void utimensat_model(Machine& machine, Call& call) {
  if (call.argument(1).known() && call.argument(1).bits == 0) return change_descriptor(machine, call, sets_times);
  change_named(machine, call, named_in(machine, call, 0, 1), sets_times);
}
void futimens_model(Machine& machine, Call& call) { change_descriptor(machine, call, sets_times); }

void umask_model(Machine& machine, Call& call) {
  const Word before = machine.world.mask;
  if (call.argument(0).known()) machine.world.mask = call.argument(0).bits & 0777;
  call.returns(Value::of(before));
}

void truncate_model(Machine& machine, Call& call) {
  const Value size = call.argument(1);
  const Named name = named(machine, call, 0);
  if (unclear(machine, call, name)) return;
  if (size.known() && static_cast<std::int64_t>(size.bits) < 0) return fail(machine, call, EINVAL);
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  const std::uint32_t number = machine.world.file_named(name.name);
  File& file = machine.world.files[number];
  if (file.directory) return fail(machine, call, EISDIR);
  machine.access(call, {Operation::kTruncate, number});
  if (size.known()) file.size = size.bits, file.size_known = true;
  else file.size_known = false;
  if (size.known() && file.content && size.bits <= file.content->size())
    file.content = std::make_shared<const std::string>(file.content->substr(0, size.bits));
  else file.content.reset();
  file.original = false;
}

// The nearest folder that is on the disk: what lies in the same file system.
std::string on_disk_above(const Machine&, const std::string& name) {
  std::filesystem::path above = name;
  std::error_code error;
  while (above.has_relative_path() && !std::filesystem::exists(above, error)) above = above.parent_path();
  return above.string();
}

void pathconf_of(Call& call, const std::string& path, Value what) {
  if (!what.known()) return call.returns(what);
  call.returns(Value::of(static_cast<Word>(::pathconf(path.c_str(), static_cast<int>(what.bits)))));
}
void pathconf_model(Machine& machine, Call& call) {
  const Named name = named(machine, call, 0);
  if (unclear(machine, call, name)) return;
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error, 64);
  pathconf_of(call, on_disk_above(machine, machine.world.real_name(name.name)), call.argument(1));
}
void fpathconf_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return fail(machine, call, EBADF, 64);
  pathconf_of(call, on_disk_above(machine, machine.world.files[one->file].name), call.argument(1));
}

// How large a file system is stays; how much of it is free does not.
template <class Told, auto Ask>
void put_system(Machine& machine, const Call& call, const std::string& path, Value where) {
  Told told{};
  if (!where.known() || Ask(path.c_str(), &told) != 0) return;
  machine.memory.write(where.bits, &told, sizeof told);
  const Cause cause = machine.unknown(call.at, "how much is free in a file system").cause;
  for (const std::size_t at : {offsetof(Told, f_bfree), offsetof(Told, f_bavail), offsetof(Told, f_ffree)})
    machine.memory.forget(where.bits + at, 8, cause);
}
template <class Told, auto Ask>
void system_model(Machine& machine, Call& call) {
  const Named name = named(machine, call, 0);
  if (unclear(machine, call, name)) return machine.forget_behind(call, call.argument(1), "a file system");
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  put_system<Told, Ask>(machine, call, on_disk_above(machine, machine.world.real_name(name.name)), call.argument(1));
}
template <class Told, auto Ask>
void descriptor_system_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return fail(machine, call, EBADF);
  put_system<Told, Ask>(machine, call, on_disk_above(machine, machine.world.files[one->file].name), call.argument(1));
}
using Vfs = struct statvfs;
using Fs = struct statfs;

constexpr NamedModel kAttributesModels[] = {
    {"stat", stat_model<true, 0>},
    {"stat64", stat_model<true, 0>},
    {"__xstat", stat_model<true, 1>},
    {"__xstat64", stat_model<true, 1>},
    {"lstat", stat_model<false, 0>},
    {"lstat64", stat_model<false, 0>},
    {"__lxstat", stat_model<false, 1>},
    {"__lxstat64", stat_model<false, 1>},
    {"fstat", fstat_model<0>},
    {"fstat64", fstat_model<0>},
    {"__fxstat", fstat_model<1>},
    {"__fxstat64", fstat_model<1>},
    {"fstatat", fstatat_model<0>},
    {"fstatat64", fstatat_model<0>},
    {"__fxstatat", fstatat_model<1>},
    {"__fxstatat64", fstatat_model<1>},
    {"statx", statx_model},
    {"access", access_model},
    {"eaccess", access_model},
    {"euidaccess", access_model},
    {"faccessat", faccessat_model},
    {"chmod", chmod_model},
    {"lchmod", chmod_model},
    {"fchmod", fchmod_model},
    {"fchmodat", fchmodat_model},
    {"chown", chown_model},
    {"lchown", lchown_model},
    {"fchown", fchown_model},
    {"fchownat", fchownat_model},
    {"utime", utime_model},
    {"utimes", utime_model},
    {"lutimes", utime_model},
    {"utimensat", utimensat_model},
    {"futimes", futimens_model},
    {"futimens", futimens_model},
    {"umask", umask_model},
    {"truncate", truncate_model},
    {"truncate64", truncate_model},
    {"pathconf", pathconf_model},
    {"fpathconf", fpathconf_model},
    {"statvfs", system_model<Vfs, ::statvfs>},
    {"statvfs64", system_model<Vfs, ::statvfs>},
    {"statfs", system_model<Fs, ::statfs>},
    {"statfs64", system_model<Fs, ::statfs>},
    {"fstatvfs", descriptor_system_model<Vfs, ::statvfs>},
    {"fstatvfs64", descriptor_system_model<Vfs, ::statvfs>},
    {"fstatfs", descriptor_system_model<Fs, ::statfs>},
    {"fstatfs64", descriptor_system_model<Fs, ::statfs>},
};

}  // namespace

// As the process may use it; root may do all but run what nobody may run.
bool permitted(const Machine& machine, const File& file, int how) {
  const bool on_disk = (file.original || file.directory) && file.mode == 0;
  if (on_disk && ::access(path_on_disk(file).c_str(), how) == 0) return true;
  if (on_disk && errno != ENOENT && errno != ENOTDIR) return false;
  const std::uint32_t mode = permissions(machine, file);
  if (::geteuid() == 0) return (how & X_OK) == 0 || (mode & 0111) != 0;
  return (how & ~static_cast<int>(mode >> 6 & 7)) == 0;
}

void put_stat(Machine& machine, const Call& call, Value where, std::uint32_t number, const std::string& link) {
  if (!where.known()) return;
  const File& file = machine.world.files[number];
  const struct stat told = told_of(machine, file, link);
  machine.memory.write(where.bits, &told, sizeof told);
  machine.told_of_file(call, number, static_cast<Word>(told.st_size));
  if (!file.size_known && link.empty())
    machine.memory.forget(where.bits + offsetof(struct stat, st_size), 8,
                          machine.unknown(call.at, "the size of " + file.name).cause);
  if (file.times_set)
    machine.memory.forget(where.bits + offsetof(struct stat, st_atim), 2 * sizeof(timespec),
                          machine.unknown(call.at, "times of " + file.name).cause);
}

std::span<const NamedModel> attribute_models() { return kAttributesModels; }

}  // namespace trikal::predict
