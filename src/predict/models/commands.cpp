// Other programs, pipes to them, and waiting for input. What another program does is not predicted, and that is said.

#include <linux/fs.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kChild = 4243;

void not_predicted(Machine& machine, const std::string& what) {
  machine.note("another program is started (" + what + "): what it does is not predicted");
  machine.complete = false;
}

void system_model(Machine& machine, Call& call) {
  if (call.argument(0).known() && call.argument(0).bits == 0) return call.returns(Value::of(Word{1}));
  std::string command = "not known";
  (void)text_argument(machine, call, 0, command);
  not_predicted(machine, command);
  call.returns(machine.unknown(call.at, "how a command ended"));
}

// As a log has it: all pipes to programs are one file.
void popen_model(Machine& machine, Call& call) {
  std::string command = "not known";
  (void)text_argument(machine, call, 0, command);
  not_predicted(machine, command);
  const std::uint32_t number = machine.world.file_named("<POPEN>");
  File& file = machine.world.files[number];
  file.exists = true, file.size_known = false;
  const int descriptor = machine.world.open(number);
  machine.access(call, {Operation::kStreamOpen, number});
  call.returns(Value::of(machine.world.make_stream(descriptor)));
}
void pclose_model(Machine& machine, Call& call) {
  const Value stream = call.argument(0);
  const Opened* one = stream.known() ? machine.world.stream(stream.bits) : nullptr;
  if (one != nullptr) {
    machine.access(call, {Operation::kStreamClose, one->file});
    machine.world.close_stream(stream.bits);
  }
  call.returns(machine.unknown(call.at, "how a command ended"));
}

bool can_be_run(const Machine& machine, const Call& call, const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos || call.name.find('p', 4) == std::string_view::npos;
  if (is_path) return ::access(machine.world.full_name(name).c_str(), X_OK) == 0;
  const char* told = std::getenv("PATH");
  const std::string paths = told != nullptr ? told : "/bin:/usr/bin";
  for (std::size_t at = 0; at <= paths.size();) {
    const std::size_t end = std::min(paths.find(':', at), paths.size());
    if (::access((paths.substr(at, end - at) + "/" + name).c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

// This process becomes another program, unless there is none.
void exec_model(Machine& machine, Call& call) {
  std::string name;
  const bool known = text_argument(machine, call, 0, name);
  if (known && !can_be_run(machine, call, name)) return fail(machine, call, ENOENT);
  not_predicted(machine, known ? name : "not known");
  machine.world.became_another = true;
  machine.leave(0);
}
void spawn_model(Machine& machine, Call& call) {
  std::string name = "not known";
  (void)text_argument(machine, call, 1, name);
  not_predicted(machine, name);
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 4, Value::of(kChild));
  machine.world.child_status.reset();
  ++machine.world.children;
}

// --- Pipes: what is written can be read again. A run does not count them.

void pipe_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return call.returns(machine.unknown(call.at, "a pipe"));
  const std::uint32_t number = machine.world.file_named("<pipe at " + std::to_string(where.bits) + ">");
  File& file = machine.world.files[number];
  make_empty(file);
  file.exists = file.unwatched = file.pipe = true;
  for (const Word end : {0U, 1U}) {
    const int descriptor = machine.world.open(number);
    Opened& one = *machine.world.at(descriptor);
    one.reads = end == 0, one.writes = one.append = end == 1;
    machine.memory.store(where.bits + 4 * end, 4, Value::of(static_cast<Word>(descriptor)));
  }
}

// --- Waiting for input: files always have some.

bool always_ready(Machine& machine, Value descriptor) {
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(with_sign(descriptor.bits, 32))) : nullptr;
  return one != nullptr && !machine.world.files[one->file].unwatched;
}

void poll_model(Machine& machine, Call& call) {
  constexpr Word kEntry = 8, kAsked = 4, kTold = 6;
  const Value table = call.argument(0), count = call.argument(1);
  if (!count.known() || !table.known()) return call.returns(machine.unknown(call.at, "what is ready"));
  Word ready = 0;
  for (Word at = table.bits; at < table.bits + kEntry * count.bits; at += kEntry) {
    const Value descriptor = machine.memory.load(at, 4), asked = machine.memory.load(at + kAsked, 2);
    if (descriptor.known() && with_sign(descriptor.bits, 32) < 0) {
      machine.memory.store(at + kTold, 2, Value::of(Word{0}));
      continue;
    }
    if (!asked.known() || !always_ready(machine, descriptor)) {
      const Value unknown = machine.unknown(call.at, "what is ready");
      machine.memory.store(at + kTold, 2, unknown);
      return call.returns(unknown);
    }
    const Word told = asked.bits & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
    machine.memory.store(at + kTold, 2, Value::of(told));
    ready += told != 0 ? 1 : 0;
  }
  call.returns(Value::of(ready));
}

void select_model(Machine& machine, Call& call) {
  const Value most = call.argument(0);
  if (!most.known()) return call.returns(most);
  Word ready = 0;
  for (const std::size_t set : {1U, 2U, 3U}) {
    const Value at = call.argument(set);
    if (!at.known()) return call.returns(at);
    for (Word i = 0; at.bits != 0 && i < std::min<Word>(most.bits, FD_SETSIZE); ++i) {
      const Value byte = machine.memory.load(at.bits + i / 8, 1);
      const Word bit = Word{1} << i % 8;
      if (!byte.known()) return call.returns(byte);
      if ((byte.bits & bit) == 0) continue;
      if (!always_ready(machine, Value::of(i))) return call.returns(machine.unknown(call.at, "what is ready"));
      if (set < 3) ++ready;
      else machine.memory.store(at.bits + i / 8, 1, Value::of(byte.bits & ~bit));  // nothing exceptional
    }
  }
  call.returns(Value::of(ready));
}

// --- Terminals: there is none

void no_terminal_model(Machine& machine, Call& call) { fail(machine, call, ENOTTY); }
void no_name_model(Machine& machine, Call& call) {
  fail(machine, call, ENOTTY);
  call.returns(Value::of(Word{0}));
}
// Few file systems let two files share their bytes.
bool shares_bytes(Machine& machine, Value descriptor) {
  const Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return true;
  std::string folder = machine.world.files[one->file].name;
  struct statfs told{};
  do folder.resize(std::min(folder.rfind('/'), folder.size()));
  while (!folder.empty() && ::statfs(folder.c_str(), &told) != 0);
  return told.f_type == BTRFS_SUPER_MAGIC || told.f_type == XFS_SUPER_MAGIC || told.f_type == OVERLAYFS_SUPER_MAGIC ||
         told.f_type == NFS_SUPER_MAGIC;
}

void ioctl_model(Machine& machine, Call& call) {
  const Value request = call.argument(1);
  if (request.known() && request.bits == FICLONE && !shares_bytes(machine, call.argument(0)))
    return fail(machine, call, EOPNOTSUPP);
  if (request.known() && (request.bits == TIOCGWINSZ || request.bits == TCGETS || request.bits == TIOCGPGRP))
    return fail(machine, call, ENOTTY);
  machine.forget_behind(call, call.argument(2), "what ioctl left behind a pointer");
  call.returns(machine.unknown(call.at, "what ioctl did"));
}

constexpr NamedModel kCommandsModels[] = {
    {"system", system_model},
    {"popen", popen_model},
    {"pclose", pclose_model},
    {"execl", exec_model},
    {"execlp", exec_model},
    {"execle", exec_model},
    {"execv", exec_model},
    {"execvp", exec_model},
    {"execvpe", exec_model},
    {"execve", exec_model},
    {"posix_spawn", spawn_model},
    {"posix_spawnp", spawn_model},
    {"posix_spawn_file_actions_init", succeeds},
    {"posix_spawn_file_actions_destroy", succeeds},
    {"posix_spawn_file_actions_adddup2", succeeds},
    {"posix_spawn_file_actions_addclose", succeeds},
    {"posix_spawn_file_actions_addopen", succeeds},
    {"posix_spawnattr_init", succeeds},
    {"posix_spawnattr_destroy", succeeds},
    {"posix_spawnattr_setflags", succeeds},
    {"posix_spawnattr_setsigmask", succeeds},
    {"posix_spawnattr_setsigdefault", succeeds},
    {"pipe", pipe_model},
    {"pipe2", pipe_model},
    {"poll", poll_model},
    {"ppoll", poll_model},
    {"select", select_model},
    {"pselect", select_model},
    {"ioctl", ioctl_model},
    {"tcgetattr", no_terminal_model},
    {"tcsetattr", no_terminal_model},
    {"tcgetpgrp", no_terminal_model},
    {"ttyname", no_name_model},
};

}  // namespace

std::span<const NamedModel> command_models() { return kCommandsModels; }

}  // namespace trikal::predict
