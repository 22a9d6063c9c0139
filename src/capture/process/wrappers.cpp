// The ways a process ends or becomes another program. Each must leave what was seen behind.

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "capture/interpose/interposed.hpp"
#include "capture/session/child_environment.hpp"
#include "capture/session/ending.hpp"
#include "capture/session/unseen.hpp"

namespace {

using namespace trikal::capture;  // NOLINT: a file of wrappers
using trikal::FixedString;

template <class Wrapper, class... A>
int replace_program(A... args) noexcept {
  const int saved = errno;
  const bool own = !is_vfork_child();  // which borrows its parent's memory: that session does not end here
  if (own) session.before_exec();
  errno = saved;
  const int result = Wrapper::real()(args...);
  if (own) session.exec_failed();  // or we would not be here
  return result;
}

// Runs start(environment) with the environment that the new program shall have. `note(why)` is told what of it keeps
// us out, and answers whether the program will be observed. Inlined for the memory on the caller's stack: there is no other that goes away with a failed exec and with a
// vfork child alike.
template <class Note, class Start>
[[gnu::always_inline]] inline int start_program(char* const* given, const Note& note, const Start& start) noexcept {
  if (!session.running()) return start(given);
  const int saved = errno;
  const ChildEnvironment child(given);
  bool is_observed = false;
  {
    const InsideOrVforked inside;
    if (inside.entered()) is_observed = note(child.why());
    else session.missed();
  }
  if (child.bytes() > 0) given = child.make(__builtin_alloca(child.bytes()), is_observed);
  errno = saved;
  return start(given);
}

using Execve = Interposed<"execve", int(const char*, char* const*, char* const*)>;
using Execvpe = Interposed<"execvpe", int(const char*, char* const*, char* const*)>;
using Exit = Interposed<"_exit", void(int)>;
using ExitToo = Interposed<"_Exit", void(int)>;
using QuickExit = Interposed<"quick_exit", void(int)>;

template <class Wrapper>
[[noreturn]] void end(int status) noexcept {
  if (!is_inside()) session.stop(status);
  Wrapper::real()(status);
  __builtin_unreachable();
}

template <FixedString Name>
using Spawn = Interposed<Name, int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                                   char* const*, char* const*)>;

// execl and its kin: the arguments as an array, the real work by the v form.
template <class Call>
int with_argument_array(const char* first, va_list arguments, const Call& call) noexcept {
  va_list counted;
  va_copy(counted, arguments);
  std::size_t count = 1;
  while (va_arg(counted, char*) != nullptr) ++count;
  va_end(counted);
  auto** argv = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  argv[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i <= count; ++i) argv[i] = va_arg(arguments, char*);  // the last one is the null
  return call(argv);
}

}  // namespace

namespace trikal::capture {

void find_endings() noexcept {
  static constinit std::atomic<bool> found{false};
  if (found.exchange(true, std::memory_order_relaxed)) return;
  Exit::find();
  ExitToo::find();
  QuickExit::find();
  Execve::find();
  Execvpe::find();
}

}  // namespace trikal::capture

TRIKAL_WRAPPER int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen(AT_FDCWD, path, why); },
      [=](char* const* environment) { return replace_program<Execve>(path, argv, environment); });
}
TRIKAL_WRAPPER int execv(const char* path, char* const argv[]) noexcept { return execve(path, argv, environ); }
TRIKAL_WRAPPER int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen_in_path(file, why); },
      [=](char* const* environment) { return replace_program<Execvpe>(file, argv, environment); });
}
TRIKAL_WRAPPER int execvp(const char* file, char* const argv[]) noexcept { return execvpe(file, argv, environ); }
TRIKAL_WRAPPER int fexecve(int fd, char* const argv[], char* const envp[]) noexcept {
  using Wrapper = Interposed<"fexecve", int(int, char* const*, char* const*)>;
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen(fd, why); },
      [=](char* const* environment) { return replace_program<Wrapper>(fd, argv, environment); });
}
TRIKAL_WRAPPER int execveat(int directory, const char* path, char* const argv[], char* const envp[],
                            int flags) noexcept {
  using Wrapper = Interposed<"execveat", int(int, const char*, char* const*, char* const*, int)>;
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen(directory, path, why); },
      [=](char* const* environment) { return replace_program<Wrapper>(directory, path, argv, environment, flags); });
}
TRIKAL_WRAPPER int execl(const char* path, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const int result = with_argument_array(first, arguments, [path](char** argv) { return execv(path, argv); });
  va_end(arguments);
  return result;
}
TRIKAL_WRAPPER int execlp(const char* file, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const int result = with_argument_array(first, arguments, [file](char** argv) { return execvp(file, argv); });
  va_end(arguments);
  return result;
}
TRIKAL_WRAPPER int execle(const char* path, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const int result = with_argument_array(first, arguments, [path, &arguments](char** argv) {
    return execve(path, argv, va_arg(arguments, char* const*));
  });
  va_end(arguments);
  return result;
}

TRIKAL_WRAPPER int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen(AT_FDCWD, path, why); },
      [=](char* const* environment) {
        return Spawn<"posix_spawn">::real()(pid, path, actions, attributes, argv, environment);
      });
}
TRIKAL_WRAPPER int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
  return start_program(
      envp, [=](trikal::Unseen why) { return note_if_unseen_in_path(file, why); },
      [=](char* const* environment) {
        return Spawn<"posix_spawnp">::real()(pid, file, actions, attributes, argv, environment);
      });
}
// libc starts the shell by itself, with the environment as it is.
TRIKAL_WRAPPER int system(const char* command) {
  const int saved = errno;
  if (command != nullptr) note_if_shell_is_unseen();
  errno = saved;
  return Interposed<"system", int(const char*)>::real()(command);
}

TRIKAL_WRAPPER void _exit(int status) { end<Exit>(status); }
TRIKAL_WRAPPER void _Exit(int status) noexcept { end<ExitToo>(status); }
TRIKAL_WRAPPER void quick_exit(int status) noexcept {
  // Handlers of at_quick_exit run first and may do I/O: ours is the last that was registered, so it runs first;
  // stopping here would lose theirs. The map has all of it either way.
  session.mark_ended(status);
  QuickExit::real()(status);
  __builtin_unreachable();
}

TRIKAL_WRAPPER int chdir(const char* path) noexcept {
  const int result = Interposed<"chdir", int(const char*)>::real()(path);
  if (result == 0) session.paths.forget_working_directory();
  return result;
}
TRIKAL_WRAPPER int fchdir(int fd) noexcept {
  const int result = Interposed<"fchdir", int(int)>::real()(fd);
  if (result == 0) session.paths.forget_working_directory();
  return result;
}
TRIKAL_WRAPPER int close_range(unsigned first, unsigned last, int flags) noexcept {
  using Wrapper = Interposed<"close_range", int(unsigned, unsigned, int)>;
  constexpr int kCloseOnExec = 4;  // only marks them
  if ((flags & kCloseOnExec) != 0 || is_inside()) return Wrapper::real()(first, last, flags);
  {
    const Inside inside;
    session.descriptors.begin_close_range(first, last);
  }
  const int result = Wrapper::real()(first, last, flags);
  const Inside inside;
  session.descriptors.end_close_range(first, last, result == 0);
  return result;
}
TRIKAL_WRAPPER void closefrom(int first) noexcept {
  using Wrapper = Interposed<"closefrom", void(int)>;
  if (is_inside()) return Wrapper::real()(first);
  const auto from = static_cast<unsigned>(std::max(first, 0));
  {
    const Inside inside;
    session.descriptors.begin_close_range(from, ~0U);
  }
  Wrapper::real()(first);
  const Inside inside;
  session.descriptors.end_close_range(from, ~0U, true);
}
