#include "gather/launch.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/redact.hpp"

namespace trikal::gather {
namespace {

volatile std::sig_atomic_t child_pid = 0;

void pass_on(int signal) {
  if (child_pid > 0) ::kill(child_pid, signal);
}

// Signals sent to us are meant for the program. Those of the terminal reach it by themselves.
class SignalRelay {
 public:
  SignalRelay() {
    struct sigaction action{};
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kPassed.size(); ++i) ::sigaction(kPassed[i], &action, &passed_[i]);
    action.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < kTerminal.size(); ++i) ::sigaction(kTerminal[i], &action, &terminal_[i]);
  }
  ~SignalRelay() { restore(); }
  SignalRelay(const SignalRelay&) = delete;
  SignalRelay& operator=(const SignalRelay&) = delete;

  // Also in the child, before it becomes the program.
  void restore() {
    for (std::size_t i = 0; i < kPassed.size(); ++i) ::sigaction(kPassed[i], &passed_[i], nullptr);
    for (std::size_t i = 0; i < kTerminal.size(); ++i) ::sigaction(kTerminal[i], &terminal_[i], nullptr);
  }

 private:
  static constexpr std::array kPassed = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH};
  static constexpr std::array kTerminal = {SIGINT, SIGQUIT};
  std::array<struct sigaction, kPassed.size()> passed_{};
  std::array<struct sigaction, kTerminal.size()> terminal_{};
};

void set_environment(const LaunchOptions& options) {
  const char* others = std::getenv("LD_PRELOAD");
  std::string preload = options.runtime;
  if (others != nullptr && others[0] != '\0') preload.append(":").append(others);
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  ::setenv("TRIKAL_RUN_DIRECTORY", options.run_directory.c_str(), 1);
  for (const std::string& setting : options.settings) ::putenv(const_cast<char*>(setting.c_str()));
}

[[noreturn]] void become(const LaunchOptions& options, int failure_pipe) {
  set_environment(options);
  std::vector<char*> argv;
  argv.reserve(options.command.size() + 1);
  for (const std::string& word : options.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure_pipe, &why, sizeof why);
  ::_exit(127);
}

}  // namespace

Result<int> run_command(const LaunchOptions& options) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0)
    return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot make a pipe"};
  SignalRelay relay;
  const pid_t child = ::fork();
  if (child < 0) return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot start a process"};
  if (child == 0) {
    relay.restore();
    become(options, failure[1]);
  }
  child_pid = child;
  ::close(failure[1]);
  int why = 0;
  const bool failed = ::read(failure[0], &why, sizeof why) == sizeof why;
  ::close(failure[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  if (failed) return Error{.code = ErrorCode::kSystem, .sys_errno = why, .what = "cannot run"};
  return status;
}

std::string argument_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text.append(word).push_back('\0');
  const std::size_t length = text.size();
  text.resize(length + 3 * command.size());  // a hidden value may be longer than what it hides
  RedactRules rules = redact_rules(std::getenv("TRIKAL_REDACT"));
  rules.program = std::getenv("TRIKAL_REDACT_PROGRAM") != nullptr;
  text.resize(redact_arguments(text.data(), length, text.size(), rules));
  return text;
}

std::string find_runtime() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("TRIKAL_RUNTIME")) return named;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  for (const char* place :
       {"../lib/libtrikal.so", "../lib/x86_64-linux-gnu/libtrikal.so", "../lib/aarch64-linux-gnu/libtrikal.so"}) {
    const fs::path candidate = (binary.parent_path() / place).lexically_normal();
    if (fs::exists(candidate, error)) return candidate.string();
  }
  return {};
}

}  // namespace trikal::gather
