// The current folder, and names that are taken apart or followed to their end.

#include <libgen.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

// <libgen.h> calls the one of POSIX by the name of the other.
#undef basename

namespace trikal::predict {
namespace {

constexpr Word kDot = (Word{1} << 47) + 512;  // text that belongs to the library

void chdir_model(Machine& machine, Call& call) {
  const Named name = named(machine, call, 0);
  if (!name.known()) {
    machine.note("the program goes to a folder that is not known; names after that are wrong");
    machine.complete = false;
    return call.returns(machine.unknown(call.at, "whether a folder is there"));
  }
  if (const int error = why_missing(machine, name.name); error != 0) return fail(machine, call, error);
  if (!machine.world.files[machine.world.file_named(name.name)].directory) return fail(machine, call, ENOTDIR);
  machine.world.here = machine.world.real_name(name.name);
}
void fchdir_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return fail(machine, call, EBADF);
  if (!machine.world.files[one->file].directory) return fail(machine, call, ENOTDIR);
  machine.world.here = machine.world.real_name(machine.world.files[one->file].name);
}

void getcwd_model(Machine& machine, Call& call) {
  const Value to = call.argument(0), size = call.argument(1);
  const bool bounded = to.known() && (to.bits != 0 || size.bits != 0) && call.arguments.size() > 1;
  if (bounded && to.bits != 0 && size.known() && size.bits == 0) return fail_pointer(machine, call, EINVAL);
  if (bounded && size.known() && size.bits <= machine.world.here.size()) return fail_pointer(machine, call, ERANGE);
  if (to.known() && to.bits == 0 && size.known() && size.bits > 0) {
    const Word address = machine.world.take(size.bits);
    return return_text(machine, call, Value::of(address), machine.world.here);
  }
  return_text(machine, call, to, machine.world.here);
}
// What PWD says, as long as that is the same folder.
void current_name_model(Machine& machine, Call& call) {
  std::string told = machine.world.here;
  for (const std::string& one : machine.setting.environment)
    if (one.starts_with("PWD=/") && machine.world.real_name(one.substr(4)) == told) told = one.substr(4);
  return_text(machine, call, Value::of(Word{0}), told);
}

void resolve(Machine& machine, Call& call, Value to) {
  const Value given = call.argument(0);
  if (given.known() && given.bits == 0) return fail_pointer(machine, call, EINVAL);
  const Named name = named(machine, call, 0);
  if (!name.known()) return call.returns(machine.unknown(call.at, "a path that is not known"));
  if (const int error = why_missing(machine, name.name); error != 0) return fail_pointer(machine, call, error);
  return_text(machine, call, to, machine.world.real_name(name.name));
}
void realpath_model(Machine& machine, Call& call) { resolve(machine, call, call.argument(1)); }
void canonical_model(Machine& machine, Call& call) { resolve(machine, call, Value::of(Word{0})); }

void readlink_named(Machine& machine, Call& call, const Named& name, Value to, Value size) {
  if (name.error != 0) return fail(machine, call, name.error, 64);
  if (!name.known() || !to.known() || !size.known()) return call.returns(machine.unknown(call.at, "what is in a link"));
  const std::string link = machine.world.link_at(name.name);
  if (link.empty()) {
    const int error = why_missing(machine, name.name);
    return fail(machine, call, error != 0 ? error : EINVAL, 64);
  }
  const Word bytes = std::min<Word>(size.bits, link.size());
  machine.memory.write(to.bits, link.data(), bytes);
  call.returns(Value::of(bytes));
}
void readlink_model(Machine& machine, Call& call) {
  readlink_named(machine, call, named(machine, call, 0), call.argument(1), call.argument(2));
}
void readlinkat_model(Machine& machine, Call& call) {
  readlink_named(machine, call, named_in(machine, call, 0, 1), call.argument(2), call.argument(3));
}

// As the library itself does it, to a copy: what it changes there is changed in the program's text.
template <char* (*Cut)(char*)>
void cut_model(Machine& machine, Call& call) {
  const Value given = call.argument(0);
  std::string text;
  if (!given.known() || (given.bits != 0 && !machine.memory.text(given.bits, text)))
    return call.returns(machine.unknown(call.at, "a part of a path that is not known"));
  const std::string before = text;
  const char* part = Cut(given.bits == 0 ? nullptr : text.data());
  if (given.bits == 0 || part < text.data() || part > text.data() + text.size()) {
    machine.memory.write(kDot, part, std::strlen(part) + 1);
    return call.returns(Value::of(kDot));
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != before[i]) machine.memory.write(given.bits + i, &text[i], 1);
  call.returns(Value::of(given.bits + static_cast<Word>(part - text.data())));
}
char* last_part(char* path) {
  char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

constexpr NamedModel kCurrentModels[] = {
    {"chdir", chdir_model},
    {"fchdir", fchdir_model},
    {"getcwd", getcwd_model},
    {"__getcwd_chk", getcwd_model},
    {"getwd", getcwd_model},
    {"__getwd_chk", getcwd_model},
    {"get_current_dir_name", current_name_model},
    {"realpath", realpath_model},
    {"__realpath_chk", realpath_model},
    {"canonicalize_file_name", canonical_model},
    {"readlink", readlink_model},
    {"__readlink_chk", readlink_model},
    {"readlinkat", readlinkat_model},
    {"__readlinkat_chk", readlinkat_model},
    {"basename", cut_model<last_part>},
    {"__xpg_basename", cut_model<::__xpg_basename>},
    {"dirname", cut_model<::dirname>},
};

}  // namespace

std::span<const NamedModel> current_models() { return kCurrentModels; }

}  // namespace trikal::predict
