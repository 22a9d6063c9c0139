// The process: its end, its surroundings, time.

#include <cerrno>

#include "predict/machine/child.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kTick = 1000;  // nanoseconds that pass while the clock is read
constexpr Word kSecond = 1'000'000'000;

// Where a program gives up, a prediction ends, too: that must not go unsaid.
void exit_model(Machine& machine, Call& call) {
  const int code = call.argument(0).known() ? static_cast<int>(call.argument(0).bits & 0xff) : 1;
  end_program(machine, call, code, call.name == "exit");
}
void abort_model(Machine& machine, Call& call) { end_program(machine, call, 134, false); }

// What is to be done at the end: the function, its argument.
void at_exit_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.at_exit.emplace_back(call.argument(0).bits, call.argument(1).bits);
}

Word now(Machine& machine, const Call& call) {
  machine.assume(call, "the clock");
  return machine.world.ticks += kTick;
}

void time_model(Machine& machine, Call& call) {
  const Word seconds = now(machine, call) / kSecond;
  if (call.argument(0).known() && call.argument(0).bits != 0)
    machine.memory.store(call.argument(0).bits, 8, Value::of(seconds));
  call.returns(Value::of(seconds));
}
void put_time(Machine& machine, const Call& call, Value where, Word divisor) {
  const Word ticks = now(machine, call);
  if (!where.known() || where.bits == 0) return;
  machine.memory.store(where.bits, 8, Value::of(ticks / kSecond));
  machine.memory.store(where.bits + 8, 8, Value::of(ticks % kSecond / divisor));
}
void gettimeofday_model(Machine& machine, Call& call) { put_time(machine, call, call.argument(0), 1000); }
void clock_gettime_model(Machine& machine, Call& call) { put_time(machine, call, call.argument(1), 1); }
// Time of the processor begins with the program.
void clock_model(Machine& machine, Call& call) { call.returns(Value::of((now(machine, call) - World{}.ticks) / 1000)); }

constexpr Word kChild = 4243;
void fork_model(Machine& machine, Call& call) {
  run_child(machine, call);
  call.returns(Value::of(kChild));
}
void wait_model(Machine& machine, Call& call) {
  const bool by_pid = call.arguments.size() > 1;
  const Value status = call.argument(by_pid ? 1 : 0);
  machine.compare(call, 1, machine.world.children);  // the next one may be the last
  if (machine.world.children == 0) return fail(machine, call, ECHILD);
  --machine.world.children;
  if (status.known() && status.bits != 0) {
    const std::optional<Word>& told = machine.world.child_status;
    machine.memory.store(status.bits, 4,
                         told ? Value::of(*told) : machine.unknown(call.at, "how a child process ended"));
  }
  call.returns(Value::of(kChild));
}

void errno_model(Machine&, Call& call) { call.returns(Value::of(kErrno)); }
template <Word Number>
void number_model(Machine&, Call& call) {
  call.returns(Value::of(Number));
}
void one_model(Machine&, Call& call) { call.returns(Value::of(Word{1})); }
void pid_model(Machine&, Call& call) { call.returns(Value::of(Word{4242})); }

constexpr NamedModel kProcessModels[] = {
    {"exit", exit_model},
    {"_exit", exit_model},
    {"_Exit", exit_model},
    {"quick_exit", exit_model},
    {"abort", abort_model},
    {"__assert_fail", abort_model},
    {"time", time_model},
    {"gettimeofday", gettimeofday_model},
    {"clock_gettime", clock_gettime_model},
    {"clock", clock_model},
    {"__errno_location", errno_model},
    {"getpid", pid_model},
    {"getppid", pid_model},
    {"sleep", succeeds},
    {"usleep", succeeds},
    {"nanosleep", succeeds},
    {"sched_yield", succeeds},
    {"atexit", at_exit_model},
    {"fork", fork_model},
    {"vfork", fork_model},
    {"wait", wait_model},
    {"waitpid", wait_model},
    {"wait4", wait_model},
    {"__libc_current_sigrtmin", number_model<34>},
    {"__libc_current_sigrtmax", number_model<64>},
    {"setsid", pid_model},
    {"getpgrp", pid_model},
    {"getpgid", pid_model},
    {"getsid", pid_model},
    {"gettid", pid_model},
    {"setpgid", succeeds},
    {"setuid", succeeds},
    {"setgid", succeeds},
    {"seteuid", succeeds},
    {"setegid", succeeds},
    {"setreuid", succeeds},
    {"setregid", succeeds},
    {"setresuid", succeeds},
    {"setresgid", succeeds},
    {"setgroups", succeeds},
    {"initgroups", succeeds},
    {"prctl", succeeds},
    {"mlock", succeeds},
    {"munlock", succeeds},
    {"mlockall", succeeds},
    {"munlockall", succeeds},
    {"mprotect", succeeds},
    {"malloc_trim", succeeds},
    {"mallopt", one_model},
    {"trikal_phase_begin", succeeds},
    {"trikal_phase_end", succeeds},
    {"isatty", succeeds},
    {"__cxa_atexit", at_exit_model},
};

}  // namespace

std::span<const NamedModel> process_models() { return kProcessModels; }

}  // namespace trikal::predict
