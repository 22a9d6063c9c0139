#include "gather/launch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/redact.hpp"
#include "gather/runtime_library.hpp"

namespace trikal::gather {
namespace {

void set_environment(const LaunchOptions& options, std::string preload) {
  const char* others = std::getenv("LD_PRELOAD");
  if (others != nullptr && others[0] != '\0') preload.append(":").append(others);
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  ::setenv("TRIKAL_RUN_DIRECTORY", options.run_directory.c_str(), 1);
  for (const std::string& setting : options.settings) ::putenv(const_cast<char*>(setting.c_str()));
}

[[noreturn]] void become(const LaunchOptions& options, const std::string& preload, int failure_pipe) {
  set_environment(options, preload);
  std::vector<char*> argv;
  argv.reserve(options.command.size() + 1);
  for (const std::string& word : options.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure_pipe, &why, sizeof why);
  ::_exit(127);
}

// Until the command has ended.
int wait_for(pid_t child, const HeldSignals& signals) {
  int status = 0;
  for (;;) {
    if (signals.pass_on(child)) {
      const pid_t ended = ::waitpid(child, &status, signals.descriptor() < 0 ? 0 : WNOHANG);
      if (ended == child || (ended < 0 && errno != EINTR)) return status;
    }
    pollfd arrival{signals.descriptor(), POLLIN, 0};
    (void)::poll(&arrival, 1, -1);
  }
}

}  // namespace

Result<int> run_command(const LaunchOptions& options, const HeldSignals& signals) {
  const auto preload = preloadable(options.runtime);
  if (!preload) return preload.error();
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0)
    return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot make a pipe"};
  const pid_t child = ::fork();
  if (child < 0) return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot start a process"};
  if (child == 0) {
    signals.restore();
    become(options, *preload, failure[1]);
  }
  ::close(failure[1]);
  int why = 0;
  const bool failed = ::read(failure[0], &why, sizeof why) == sizeof why;
  ::close(failure[0]);
  const int status = wait_for(child, signals);
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

}  // namespace trikal::gather
