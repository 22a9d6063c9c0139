#include "cli/publish_target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

namespace trikal::cli {
namespace {

constexpr std::string_view kFile = "file:";
constexpr int kEndLimit = 5000, kTermLimit = 1000;  // milliseconds

Error failed(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

// A pipe or terminal is opened anew: not to wait is a property that others who have it open would share. A file is not, for
// it would have a position of its own.
int open_standard_output() {
  struct stat facts{};
  if (::fstat(STDOUT_FILENO, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode))) {
    const int own = ::open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (own >= 0) return own;
  }
  return ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// Variables of the connector have values for the command, also those that nobody set.
std::vector<std::string> environment_of_command() {
  constexpr std::pair<const char*, const char*> kDefaults[] = {{"DARSHAN_LDMS_XPRT", "sock"},
                                                               {"DARSHAN_LDMS_HOST", "localhost"},
                                                               {"DARSHAN_LDMS_PORT", "412"},
                                                               {"DARSHAN_LDMS_AUTH", "munge"},
                                                               {"DARSHAN_LDMS_STREAM", "darshanConnector"}};
  std::vector<std::string> variables;
  for (char** one = environ; *one != nullptr; ++one) variables.emplace_back(*one);
  for (const auto& [name, value] : kDefaults) {
    const char* set = std::getenv(name);
    if (set != nullptr && set[0] != '\0') continue;
    std::erase(variables, fmt::format("{}=", name));
    variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

// In a group of its own: what a terminal sends to the program must not end it before the last message. Signals are as the
// program will find them. What it prints is no output of the program.
int spawn(const std::string& command, int input, pid_t& child) {
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
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::string shell = "/bin/sh", option = "-c", text = command;
  char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  std::vector<std::string> variables = environment_of_command();
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  const int error = ::posix_spawn(&child, shell.c_str(), &actions, &attributes, arguments, environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) return fmt::format("the command was ended by signal {}", WTERMSIG(status));
  return fmt::format("the command ended with exit status {}", WEXITSTATUS(status));
}

}  // namespace

std::string target_name(const std::string& target) {
  if (target == "-") return "standard output";
  return target.starts_with(kFile) ? target.substr(kFile.size()) : target;
}

Result<std::unique_ptr<PublishTarget>> PublishTarget::open(const Options& options) {
  std::unique_ptr<PublishTarget> target(new PublishTarget());
  if (options.target == "-") {
    target->descriptor_ = open_standard_output();
    if (target->descriptor_ < 0) return failed("cannot write");
    target->waits_ = (::fcntl(target->descriptor_, F_GETFL) & O_NONBLOCK) == 0;
    return target;
  }
  target->is_file_ = options.target.starts_with(kFile);
  if (!target->is_file_) {
    target->command_ = options.target;
    return target;
  }
  const std::string path = target_name(options.target);
  struct stat there{};
  const bool device = ::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
  const int made = device || options.append ? O_APPEND : options.force ? O_TRUNC : O_EXCL;
  target->descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | made, 0666);
  if (target->descriptor_ < 0) return failed(errno == EEXIST ? "already there (--force replaces it)" : "cannot create");
  return target;
}

PublishTarget::~PublishTarget() { close(); }

void PublishTarget::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Status PublishTarget::start() {
  if (command_.empty()) return {};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe");
  const int error = spawn(command_, ends[0], child_);
  ::close(ends[0]);
  descriptor_ = ends[1];
  ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);  // only this end waits for nobody
  if (error == 0) return {};
  child_ = 0;
  close();
  return Error{.code = ErrorCode::kSystem, .sys_errno = error, .what = "cannot start a process"};
}

// Where writing may have to wait, no more than a pipe takes in one piece once it is ready.
ssize_t PublishTarget::write(std::string_view text) const {
  pollfd ready{descriptor_, POLLOUT, 0};
  if (waits_ && ::poll(&ready, 1, 0) == 0) return 0;
  const ssize_t wrote =
      ::write(descriptor_, text.data(), waits_ ? std::min<std::size_t>(text.size(), PIPE_BUF) : text.size());
  if (wrote >= 0) return wrote;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

void PublishTarget::wait(int milliseconds) const {
  pollfd ready{descriptor_, POLLOUT, 0};
  (void)::poll(&ready, 1, milliseconds);
}

bool PublishTarget::wait_for_end(int milliseconds, int& status) const {
  constexpr int kStep = 5;
  for (int waited = 0;; waited += kStep) {
    const pid_t ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == child_) return true;
    if (waited >= milliseconds || (ended < 0 && errno != EINTR)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(kStep));
  }
}

std::string PublishTarget::finish(bool stuck) {
  close();
  if (child_ <= 0) return {};
  int status = 0;
  if (wait_for_end(stuck ? 0 : kEndLimit, status)) return ending(status);
  ::kill(-child_, SIGTERM);
  const bool ended = wait_for_end(kTermLimit, status);
  // What it started may still be there.
  ::kill(-child_, SIGKILL);
  if (!ended) ::waitpid(child_, &status, 0);
  return "the command did not end and was killed";
}

}  // namespace trikal::cli
