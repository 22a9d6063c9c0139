#include "serve/command_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace trikal::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostBytes = 16 * 1024 * 1024;

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() { close_write(), close_read(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() {
    if (write >= 0) ::close(write), write = -1;
  }
  void close_read() {
    if (read >= 0) ::close(read), read = -1;
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// In a group of its own, with signals as a program expects to find them.
int spawn(std::vector<std::string> command, std::vector<std::string> environment, const Pipe& out, const Pipe& err,
          pid_t& child) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&actions);
  sigset_t none, usual;
  ::sigemptyset(&none), ::sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGCHLD}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  const int error = ::posix_spawnp(&child, command.front().c_str(), &actions, &attributes, pointers(command).data(),
                                   pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

// False: nothing more will come.
bool take(Pipe& pipe, std::string& to) {
  std::array<char, 65536> bytes{};
  const ssize_t got = ::read(pipe.read, bytes.data(), bytes.size());
  if (got > 0) to.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

void collect(Pipe& out, Pipe& err, Clock::time_point deadline, CommandOutput& result) {
  while (out.read >= 0 || err.read >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return void(result.is_late = true);
    std::array<pollfd, 2> ready{{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(left)) <= 0) continue;
    if (ready[0].revents != 0 && !take(out, result.out)) out.close_read();
    if (ready[1].revents != 0 && !take(err, result.err)) err.close_read();
    if (result.out.size() + result.err.size() > kMostBytes) return void(result.is_large = true);
  }
}

// It has closed its output, which most do by ending.
void wait_for(pid_t child, Clock::time_point deadline, CommandOutput& result) {
  while (!result.is_late && !result.is_large) {
    if (::waitpid(child, &result.status, WNOHANG) == child) return;
    result.is_late = Clock::now() >= deadline;
    constexpr timespec kPause = {0, 2'000'000};
    ::nanosleep(&kPause, nullptr);
  }
  ::kill(-child, SIGKILL);
  while (::waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<CommandOutput> output_of(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                                std::chrono::milliseconds limit) {
  Pipe out, err;
  if (out.read < 0 || err.read < 0)
    return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot make a pipe"};
  pid_t child = 0;
  const int error = spawn(command, environment, out, err, child);
  out.close_write(), err.close_write();
  if (error != 0) return Error{.code = ErrorCode::kSystem, .sys_errno = error, .what = "cannot be started"};
  const auto deadline = Clock::now() + limit;
  CommandOutput result;
  collect(out, err, deadline, result);
  wait_for(child, deadline, result);
  return result;
}

}  // namespace trikal::serve
