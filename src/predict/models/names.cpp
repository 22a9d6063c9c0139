// Files and folders by name: made, removed, renamed, linked.

#include "predict/models/names.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "predict/models/descriptors.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/world/folder.hpp"

namespace trikal::predict {
namespace {

void answer(Machine& machine, Call& call, int error) {
  if (error != 0) fail(machine, call, error);
}

bool below(const std::string& name, const std::string& folder) { return name.starts_with(folder + "/"); }

void make_folder_named(Machine& machine, Call& call, const Named& name, Value mode) {
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  if (const int error = why_not_made(machine, name.name); error != 0) return fail(machine, call, error);
  make_folder(machine, call, machine.world.file_named(name.name), mode.known() ? mode.bits : 0777);
}
void mkdir_model(Machine& machine, Call& call) {
  make_folder_named(machine, call, named(machine, call, 0), call.argument(1));
}
void mkdirat_model(Machine& machine, Call& call) {
  make_folder_named(machine, call, named_in(machine, call, 0, 1), call.argument(2));
}

void remove_named(Machine& machine, Call& call, const Named& name, bool folder) {
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  answer(machine, call, remove_entry(machine, call, name.name, folder));
}
void unlink_model(Machine& machine, Call& call) { remove_named(machine, call, named(machine, call, 0), false); }
void rmdir_model(Machine& machine, Call& call) { remove_named(machine, call, named(machine, call, 0), true); }
void remove_model(Machine& machine, Call& call) {
  const Named name = named(machine, call, 0);
  const bool link = !machine.world.link_at(name.name).empty();
  remove_named(machine, call, name, !link && machine.world.files[machine.world.file_named(name.name)].directory);
}
void unlinkat_model(Machine& machine, Call& call) {
  const Value flags = call.argument(2);
  if (!flags.known()) return call.returns(machine.unknown(call.at, "what is removed"));
  remove_named(machine, call, named_in(machine, call, 0, 1), (flags.bits & AT_REMOVEDIR) != 0);
}

void rename_named(Machine& machine, Call& call, const Named& from, const Named& to, Value flags) {
  if (from.error != 0 || to.error != 0) return fail(machine, call, from.error != 0 ? from.error : to.error);
  if (unclear(machine, call, from) || unclear(machine, call, to)) return;
  if (!flags.known() || (flags.bits & ~Word{RENAME_NOREPLACE | RENAME_EXCHANGE}) != 0)
    return call.returns(machine.unknown(call.at, "how a file is renamed"));
  if (flags.bits == RENAME_NOREPLACE && entry_exists(machine, to.name)) return fail(machine, call, EEXIST);
  if (flags.bits != RENAME_EXCHANGE) return answer(machine, call, rename_entry(machine, call, from.name, to.name));
  for (const Named* one : {&from, &to})
    if (!entry_exists(machine, one->name)) return fail(machine, call, why_missing(machine, one->name));
  const std::string between = machine.world.real_name(from.name, false) + ".<exchanged>";
  machine.access(call, {Operation::kRename, machine.world.file_named(from.name)});
  machine.world.rename(to.name, between);
  machine.world.rename(from.name, to.name);
  machine.world.rename(between, from.name);
  machine.changed_names(call, machine.world.file_named(from.name));
}
void rename_model(Machine& machine, Call& call) {
  rename_named(machine, call, named(machine, call, 0), named(machine, call, 1), Value::of(Word{0}));
}
void renameat_model(Machine& machine, Call& call) {
  rename_named(machine, call, named_in(machine, call, 0, 1), named_in(machine, call, 2, 3),
               call.arguments.size() > 4 ? call.argument(4) : Value::of(Word{0}));
}

void link_named(Machine& machine, Call& call, const Named& from, const Named& to, bool follow) {
  if (from.error != 0 || to.error != 0) return fail(machine, call, from.error != 0 ? from.error : to.error);
  if (unclear(machine, call, from) || unclear(machine, call, to)) return;
  const std::string link = follow ? "" : machine.world.link_at(from.name);
  if (link.empty())
    if (const int error = why_missing(machine, from.name); error != 0) return fail(machine, call, error);
  if (const int error = why_not_made(machine, to.name); error != 0) return fail(machine, call, error);
  const std::uint32_t number = machine.world.file_named(from.name);
  if (link.empty() && machine.world.files[number].directory) return fail(machine, call, EPERM);
  if (link.empty()) machine.world.join(to.name, number);
  else machine.world.make_link(to.name, link);
  machine.changed_names(call, machine.world.file_named(to.name));
}
void link_model(Machine& machine, Call& call) {
  link_named(machine, call, named(machine, call, 0), named(machine, call, 1), false);
}
void linkat_model(Machine& machine, Call& call) {
  const Word flags = call.argument(4).bits;
  if ((flags & AT_EMPTY_PATH) != 0) {
    machine.note("a file without a name gets one, which is not followed");
    return call.returns(machine.unknown(call.at, "whether a file without a name gets one"));
  }
  link_named(machine, call, named_in(machine, call, 0, 1), named_in(machine, call, 2, 3),
             (flags & AT_SYMLINK_FOLLOW) != 0);
}

void symlink_named(Machine& machine, Call& call, const Named& name) {
  std::string target;
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  if (!text_argument(machine, call, 0, target)) {
    machine.note("where a link leads to is not known");
    return call.returns(machine.unknown(call.at, "where a link leads to"));
  }
  if (target.empty()) return fail(machine, call, ENOENT);
  if (const int error = why_not_made(machine, name.name); error != 0) return fail(machine, call, error);
  machine.world.make_link(name.name, target);
  machine.changed_names(call, machine.world.file_named(name.name));
}
void symlink_model(Machine& machine, Call& call) { symlink_named(machine, call, named(machine, call, 1)); }
void symlinkat_model(Machine& machine, Call& call) { symlink_named(machine, call, named_in(machine, call, 1, 2)); }

// A pipe with a name, or a device.
void special_named(Machine& machine, Call& call, const Named& name, bool regular) {
  if (name.error != 0) return fail(machine, call, name.error);
  if (unclear(machine, call, name)) return;
  if (const int error = why_not_made(machine, name.name); error != 0) return fail(machine, call, error);
  const std::uint32_t number = machine.world.file_named(name.name);
  File& file = machine.world.files[number];
  make_empty(file);
  file.exists = true;
  machine.changed_names(call, number);
  if (regular) return;
  file.size_known = false;
  machine.note("what goes through a pipe or a device that the program makes is not followed: " + name.name);
}
void mkfifo_model(Machine& machine, Call& call) { special_named(machine, call, named(machine, call, 0), false); }
void mkfifoat_model(Machine& machine, Call& call) {
  special_named(machine, call, named_in(machine, call, 0, 1), false);
}
bool regular(Value mode) { return mode.known() && ((mode.bits & S_IFMT) == S_IFREG || (mode.bits & S_IFMT) == 0); }
void mknod_model(Machine& machine, Call& call) {
  special_named(machine, call, named(machine, call, 0), regular(call.argument(1)));
}
void mknodat_model(Machine& machine, Call& call) {
  special_named(machine, call, named_in(machine, call, 0, 1), regular(call.argument(2)));
}

constexpr NamedModel kNamesModels[] = {
    {"mkdir", mkdir_model},         {"mkdirat", mkdirat_model},   {"unlink", unlink_model},
    {"rmdir", rmdir_model},         {"remove", remove_model},     {"unlinkat", unlinkat_model},
    {"rename", rename_model},       {"renameat", renameat_model}, {"renameat2", renameat_model},
    {"link", link_model},           {"linkat", linkat_model},     {"symlink", symlink_model},
    {"symlinkat", symlinkat_model}, {"mkfifo", mkfifo_model},     {"mkfifoat", mkfifoat_model},
    {"mknod", mknod_model},         {"mknodat", mknodat_model},
};

}  // namespace

Named named(Machine& machine, const Call& call, std::size_t path) { return {name_argument(machine, call, path)}; }

Named named_in(Machine& machine, const Call& call, std::size_t folder, std::size_t path) {
  const Value descriptor = call.argument(folder);
  Named out{name_in_folder(machine, descriptor, call.argument(path))};
  std::string given;
  if (!out.known() || (text_argument(machine, call, path, given) && given.starts_with('/'))) return out;
  if (!descriptor.known()) return {"<unknown: " + machine.causes[descriptor.cause].what + ">"};
  if (static_cast<int>(descriptor.bits) == AT_FDCWD) return out;
  const Opened* open = machine.world.at(static_cast<int>(descriptor.bits));
  if (open == nullptr) out.error = EBADF;
  else if (!machine.world.files[open->file].directory && !given.empty()) out.error = ENOTDIR;
  return out;
}

int why_missing(Machine& machine, const std::string& name) {
  if (name.empty()) return ENOENT;
  const File& file = machine.world.files[machine.world.file_named(name)];
  if (file.exists) return !file.directory && name.ends_with('/') ? ENOTDIR : 0;
  std::filesystem::path above = machine.world.real_name(name);
  while (above.has_relative_path()) {
    above = above.parent_path();
    const File& folder = machine.world.files[machine.world.file_named(above.string())];
    if (folder.exists) return folder.directory ? ENOENT : ENOTDIR;
  }
  return ENOENT;
}

bool entry_exists(Machine& machine, const std::string& name) {
  return !machine.world.link_at(name).empty() || machine.world.files[machine.world.file_named(name)].exists;
}

int why_not_made(Machine& machine, const std::string& name) {
  if (name.empty()) return ENOENT;
  if (entry_exists(machine, name)) return EEXIST;
  return folder_exists(machine, name) ? 0 : why_missing(machine, name);
}

int why_not_opened(Machine& machine, const std::string& name, Word flags) {
  const bool makes = (flags & O_CREAT) != 0, link = !machine.world.link_at(name).empty();
  const int missing = why_missing(machine, name);
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (makes && (flags & O_EXCL) != 0 && entry_exists(machine, name)) return EEXIST;
  if (link && (flags & O_NOFOLLOW) != 0) return ELOOP;
  if (missing == ENOENT && makes && name.ends_with('/')) return EISDIR;
  if (missing != 0) return missing == ENOENT && makes && !name.empty() && folder_exists(machine, name) ? 0 : missing;
  const File& file = machine.world.files[machine.world.file_named(name)];
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (!file.directory && (flags & O_DIRECTORY) != 0) return ENOTDIR;
  if (file.directory && !nameless && (writes || makes)) return EISDIR;
  return permitted(machine, file, (flags & O_ACCMODE) == O_WRONLY ? W_OK : writes ? R_OK | W_OK : R_OK) ? 0 : EACCES;
}

bool unclear(Machine& machine, Call& call, const Named& name) {
  if (name.known() || machine.world.files[machine.world.file_named(name.name)].exists) return false;
  call.returns(machine.unknown(call.at, "a file whose name is not known"));
  return true;
}

void make_folder(Machine& machine, const Call& call, std::uint32_t number, Word mode) {
  constexpr Word kFolderBytes = 4096;
  File& file = machine.world.files[number];
  static_cast<FileState&>(file) = {};
  file.exists = file.directory = true;
  file.size = kFolderBytes, file.size_known = false;
  file.mode = static_cast<std::uint32_t>(mode & ~Word{machine.world.mask} & 07777);
  machine.changed_names(call, number);
}

int remove_entry(Machine& machine, const Call& call, const std::string& name, bool folder) {
  const bool link = !machine.world.link_at(name).empty() && !name.ends_with('/');
  if (!link)
    if (const int error = why_missing(machine, name); error != 0) return error;
  const std::uint32_t number = machine.world.file_named(name);
  const bool is_folder = !link && machine.world.files[number].directory;
  if (folder && !is_folder) return ENOTDIR;
  if (!folder && is_folder) return EISDIR;
  if (folder && name.ends_with("/.")) return EINVAL;
  if (folder && (name.ends_with("/..") || !entries_of(machine.world, name).empty())) return ENOTEMPTY;
  if (machine.world.real_name(name, false) == "/") return EBUSY;
  machine.access(call, {Operation::kRemove, number});
  machine.world.remove(name);
  machine.changed_names(call, number);
  return 0;
}

int rename_entry(Machine& machine, const Call& call, const std::string& from, const std::string& to) {
  const bool link = !machine.world.link_at(from).empty(), onto_link = !machine.world.link_at(to).empty();
  if (!link)
    if (const int error = why_missing(machine, from); error != 0) return error;
  if (const int error = why_not_made(machine, to); error != 0 && error != EEXIST) return error;
  const std::uint32_t one = machine.world.file_named(from), other = machine.world.file_named(to);
  const std::string source = machine.world.real_name(from, false), target = machine.world.real_name(to, false);
  const bool folder = !link && machine.world.files[one].directory;
  if (folder && below(target, source)) return EINVAL;
  if (!onto_link && machine.world.files[other].exists && source != target) {
    if (!folder && machine.world.files[other].directory) return EISDIR;
    if (folder && !machine.world.files[other].directory) return ENOTDIR;
    if (folder && (below(source, target) || !entries_of(machine.world, to).empty())) return ENOTEMPTY;
  } else if (onto_link && folder) {
    return ENOTDIR;
  }
  machine.access(call, {Operation::kRename, one});
  machine.world.rename(from, to);
  machine.changed_names(call, other);
  return 0;
}

void fail_pointer(Machine& machine, Call& call, int number) {
  fail(machine, call, number);
  call.returns(Value::of(Word{0}));
}

void return_text(Machine& machine, Call& call, Value to, const std::string& text) {
  if (!to.known()) return call.returns(to);
  const Word address = to.bits != 0 ? to.bits : machine.world.take(text.size() + 1);
  machine.memory.write(address, text.c_str(), text.size() + 1);
  call.returns(Value::of(address));
}

std::span<const NamedModel> name_models() { return kNamesModels; }

}  // namespace trikal::predict
