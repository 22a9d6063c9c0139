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
  ::unsetenv("TRIKAL_RUN_OVERFLOW");  // that of a run around this one
  if (!options.run_overflow.empty()) ::setenv("TRIKAL_RUN_OVERFLOW", options.run_overflow.c_str(), 1);
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

// News of many processes come in batches: looking at each by itself would take time from the command.
constexpr int kBatchMilliseconds = 5;

// Until the command has ended.
int wait_for(pid_t child, const HeldSignals& signals, Collector* collector) {
  int status = 0, wait_limit = -1;
  pollfd news[] = {{signals.descriptor(), POLLIN, 0}, {collector != nullptr ? collector->descriptor() : -1, POLLIN, 0}};
  for (bool batch = false;;) {
    const int ready = ::poll(news, batch ? 1 : 2, batch ? kBatchMilliseconds : wait_limit);
    if (ready > 0 && news[0].revents != 0 && signals.pass_on(child)) {
      const pid_t ended = ::waitpid(child, &status, WNOHANG);
      if (ended == child || (ended < 0 && errno != EINTR)) return status;
    }
    if (collector == nullptr || (ready > 0 && news[0].revents != 0)) continue;
    if (batch) wait_limit = collector->work();
    batch = !batch;
  }
}

int wait_in_silence(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result<int> run_command(const LaunchOptions& options, const HeldSignals& signals, Collector* collector) {
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
  const int status = signals.descriptor() < 0 ? wait_in_silence(child) : wait_for(child, signals, collector);
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
