// The process: its end, its surroundings, time.

#include <sys/resource.h>

#include <cerrno>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kTick = 1000;  // nanoseconds that pass while the clock is read
constexpr Word kSecond = 1'000'000'000;

// Where a program gives up, a prediction ends, too: that must not go unsaid.
void tell_end(Machine& machine, const Call& call, int code) {
  machine.note("the program ends with status " + std::to_string(code) + " at " + machine.where(call));
}

void exit_model(Machine& machine, Call& call) {
  if (call.argument(0).known() && call.argument(0).bits != 0)
    tell_end(machine, call, static_cast<int>(call.argument(0).bits & 0xff));
  const int code = call.argument(0).known() ? static_cast<int>(call.argument(0).bits & 0xff) : 1;
  if (call.name == "exit") machine.run_exits();
  machine.leave(code);
}
void abort_model(Machine& machine, Call& call) {
  tell_end(machine, call, 134);
  machine.leave(134);
}

// What is to be done at the end: the function, its argument.
void at_exit_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.at_exit.emplace_back(call.argument(0).bits, call.argument(1).bits);
}

void getenv_model(Machine& machine, Call& call) {
  std::string name;
  if (!text_argument(machine, call, 0, name))
    return call.returns(machine.unknown(call.at, "a variable of the environment"));
  for (const std::string& one : machine.setting.environment) {
    if (!one.starts_with(name + "=")) continue;
    const Word text = machine.world.take(one.size());
    machine.memory.write(text, one.c_str() + name.size() + 1, one.size() - name.size());
    return call.returns(Value::of(text));
  }
}

Word now(Machine& machine) { return machine.world.ticks += kTick; }

void time_model(Machine& machine, Call& call) {
  const Word seconds = now(machine) / kSecond;
  if (call.argument(0).known() && call.argument(0).bits != 0)
    machine.memory.store(call.argument(0).bits, 8, Value::of(seconds));
  call.returns(Value::of(seconds));
}
void put_time(Machine& machine, Value where, Word divisor) {
  const Word ticks = now(machine);
  if (!where.known() || where.bits == 0) return;
  machine.memory.store(where.bits, 8, Value::of(ticks / kSecond));
  machine.memory.store(where.bits + 8, 8, Value::of(ticks % kSecond / divisor));
}
void gettimeofday_model(Machine& machine, Call& call) { put_time(machine, call.argument(0), 1000); }
void clock_gettime_model(Machine& machine, Call& call) { put_time(machine, call.argument(1), 1); }
// Time of the processor begins with the program.
void clock_model(Machine& machine, Call& call) { call.returns(Value::of((now(machine) - World{}.ticks) / 1000)); }

void setrlimit_model(Machine& machine, Call& call) {
  if (!call.argument(0).known() || call.argument(0).bits != RLIMIT_FSIZE || !call.argument(1).known()) return;
  const Value most = machine.memory.load(call.argument(1).bits, 8);
  if (most.known()) machine.world.largest_file = most.bits;
}

constexpr Word kChild = 4243;
void fork_model(Machine& machine, Call& call) {
  machine.run_child(call);
  call.returns(Value::of(kChild));
}
void wait_model(Machine& machine, Call& call) {
  const bool by_pid = call.arguments.size() > 1;
  const Value status = call.argument(by_pid ? 1 : 0);
  machine.compare(call, 1, machine.world.children);  // the next one may be the last
  if (machine.world.children == 0) return fail(machine, call, ECHILD);
  --machine.world.children;
  if (status.known() && status.bits != 0) machine.memory.store(status.bits, 4, Value::of(Word{0}));
  call.returns(Value::of(kChild));
}

void errno_model(Machine&, Call& call) { call.returns(Value::of(kErrno)); }
void pid_model(Machine&, Call& call) { call.returns(Value::of(Word{4242})); }
void sysconf_model(Machine&, Call& call) { call.returns(Value::of(Word{4096})); }

void strerror_model(Machine& machine, Call& call) {
  const Word text = machine.world.take(16);
  machine.memory.write(text, "error", 6);
  call.returns(Value::of(text));
}

void getcwd_model(Machine& machine, Call& call) {
  const std::string here = full_name(".");
  const Word to =
      call.argument(0).known() && call.argument(0).bits != 0 ? call.argument(0).bits : machine.world.take(4096);
  machine.memory.write(to, here.c_str(), here.size() + 1);
  call.returns(Value::of(to));
}

constexpr NamedModel kModels[] = {
    {"exit", exit_model},
    {"_exit", exit_model},
    {"_Exit", exit_model},
    {"quick_exit", exit_model},
    {"abort", abort_model},
    {"__assert_fail", abort_model},
    {"getenv", getenv_model},
    {"secure_getenv", getenv_model},
    {"time", time_model},
    {"gettimeofday", gettimeofday_model},
    {"clock_gettime", clock_gettime_model},
    {"clock", clock_model},
    {"__errno_location", errno_model},
    {"getpid", pid_model},
    {"getppid", pid_model},
    {"getuid", succeeds},
    {"sleep", succeeds},
    {"usleep", succeeds},
    {"nanosleep", succeeds},
    {"sched_yield", succeeds},
    {"signal", succeeds},
    {"sigaction", succeeds},
    {"atexit", at_exit_model},
    {"setlocale", succeeds},
    {"sysconf", sysconf_model},
    {"getpagesize", sysconf_model},
    {"strerror", strerror_model},
    {"getcwd", getcwd_model},
    {"chdir", succeeds},
    {"getrlimit", succeeds},
    {"setrlimit", setrlimit_model},
    {"setvbuf", succeeds},
    {"fork", fork_model},
    {"vfork", fork_model},
    {"wait", wait_model},
    {"waitpid", wait_model},
    {"trikal_phase_begin", succeeds},
    {"trikal_phase_end", succeeds},
    {"isatty", succeeds},
    {"umask", succeeds},
    {"chmod", succeeds},
    {"fchmod", succeeds},
    {"chown", succeeds},
    {"fchown", succeeds},
    {"lchown", succeeds},
    {"utime", succeeds},
    {"utimes", succeeds},
    {"futimes", succeeds},
    {"futimens", succeeds},
    {"utimensat", succeeds},
    {"geteuid", succeeds},
    {"getgid", succeeds},
    {"getegid", succeeds},
    {"sigemptyset", succeeds},
    {"sigfillset", succeeds},
    {"sigaddset", succeeds},
    {"sigprocmask", succeeds},
    {"pthread_sigmask", succeeds},
    {"alarm", succeeds},
    {"bindtextdomain", succeeds},
    {"textdomain", succeeds},
    {"setenv", succeeds},
    {"pthread_mutex_lock", succeeds},
    {"pthread_mutex_unlock", succeeds},
    {"__cxa_atexit", at_exit_model},
};

}  // namespace

std::span<const NamedModel> process_models() { return kModels; }

}  // namespace trikal::predict
