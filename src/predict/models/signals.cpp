// Signals: what a program sends itself, and who listens. Those from elsewhere do not come in a prediction.

#include <llvm/IR/Function.h>

#include <csignal>

#include <cerrno>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kHandlers = kLibc + 32768;  // by number: a function, 0 (what is usual) or 1 (nothing)
constexpr Word kMostSignals = 64, kProcess = 4242, kChild = 4243;
constexpr Word kSetBytes = sizeof(sigset_t), kActionBytes = sizeof(struct sigaction);

Word handler_address(Value number) { return kHandlers + 8 * lowest(number.bits, 32); }
bool is_signal(Value number) { return number.known() && number.bits > 0 && number.bits <= kMostSignals; }

void signal_model(Machine& machine, Call& call) {
  if (!is_signal(call.argument(0))) return fail(machine, call, EINVAL, 64);
  call.returns(machine.memory.load(handler_address(call.argument(0)), 8));
  machine.memory.store(handler_address(call.argument(0)), 8, call.argument(1));
}
void sigaction_model(Machine& machine, Call& call) {
  const Value number = call.argument(0), now = call.argument(1), before = call.argument(2);
  if (!is_signal(number)) return fail(machine, call, EINVAL);
  const Value handler = machine.memory.load(handler_address(number), 8);
  if (now.known() && now.bits != 0) machine.memory.store(handler_address(number), 8, machine.memory.load(now.bits, 8));
  if (!before.known() || before.bits == 0) return;
  machine.memory.fill(before.bits, kActionBytes, 0);
  machine.memory.store(before.bits, 8, handler);
}

void send(Machine& machine, Call& call, Value number) {
  if (!number.known() || number.bits > kMostSignals) return call.returns(machine.unknown(call.at, "a signal"));
  if (number.bits == 0) return;
  const auto which = static_cast<int>(number.bits);
  const Value handler = machine.memory.load(handler_address(number), 8);
  const bool fixed = which == SIGKILL || which == SIGSTOP;
  if (!handler.known()) return call.returns(machine.unknown(call.at, "who listens to a signal"));
  if (!fixed && handler.bits == 1) return;
  if (!fixed && handler.bits != 0) {
    const Value told[] = {number, Value::of(Word{0}), Value::of(Word{0})};
    const llvm::Function* function = machine.decoder.function_at(handler.bits);
    const std::size_t named = function != nullptr ? std::min<std::size_t>(3, function->arg_size()) : 1;
    machine.invoke(handler.bits, std::span(told).first(named), call);
    return;
  }
  if (which == SIGCHLD || which == SIGURG || which == SIGWINCH || which == SIGCONT) return;
  if (which == SIGSTOP || which == SIGTSTP || which == SIGTTIN || which == SIGTTOU) {
    machine.note("the program stops itself: what comes after that is not predicted");
    machine.complete = false;
    machine.leave(0);
  }
  end_program(machine, call, 128 + which, false);
}
void raise_model(Machine& machine, Call& call) { send(machine, call, call.argument(0)); }
void kill_model(Machine& machine, Call& call) {
  const Value process = call.argument(0);
  if (process.known() && (process.bits == kProcess || process.bits == 0)) return send(machine, call, call.argument(1));
  if (process.known() && process.bits == kChild) {  // it has ended
    if (machine.world.children == 0) fail(machine, call, ESRCH);
    return;
  }
  call.returns(machine.unknown(call.at, "a signal to another process"));
}

// --- Sets: a bit for each

void empty_set_model(Machine& machine, Call& call) {
  const bool full = call.name == "sigfillset";
  if (call.argument(0).known()) machine.memory.fill(call.argument(0).bits, kSetBytes, full ? 0xff : 0);
}
void change_set_model(Machine& machine, Call& call) {
  const Value set = call.argument(0), number = call.argument(1);
  if (!is_signal(number)) return fail(machine, call, EINVAL);
  if (!set.known()) return;
  const Word bit = number.bits - 1, address = set.bits + bit / 8, mask = Word{1} << bit % 8;
  const Value byte = machine.memory.load(address, 1);
  if (!byte.known()) return;
  if (call.name == "sigismember") return call.returns(Value::of(Word{(byte.bits & mask) != 0}));
  machine.memory.store(address, 1, Value::of(call.name == "sigaddset" ? byte.bits | mask : byte.bits & ~mask));
}
void mask_model(Machine& machine, Call& call) {
  if (const Value before = call.argument(2); before.known() && before.bits != 0)
    machine.memory.fill(before.bits, kSetBytes, 0);
}

// --- Timers: when they come is not known.

void alarm_model(Machine& machine, Call& call) {
  const bool off = call.argument(0).known() && call.argument(0).bits == 0 && call.name == "alarm";
  if (!off) machine.note("a timer is set: when its signal comes, and what that does, is not predicted");
  if (const Value before = call.argument(2); call.name != "alarm" && before.known() && before.bits != 0)
    machine.memory.fill(before.bits, 32, 0);
}
void pause_model(Machine& machine, Call&) {
  machine.note("the program waits for a signal: what comes after that is not predicted");
  machine.complete = false;
  machine.leave(0);
}

constexpr NamedModel kSignalsModels[] = {
    {"signal", signal_model},        {"__sysv_signal", signal_model},  {"bsd_signal", signal_model},
    {"sigaction", sigaction_model},  {"raise", raise_model},           {"kill", kill_model},
    {"killpg", kill_model},          {"sigemptyset", empty_set_model}, {"sigfillset", empty_set_model},
    {"sigaddset", change_set_model}, {"sigdelset", change_set_model},  {"sigismember", change_set_model},
    {"sigprocmask", mask_model},     {"pthread_sigmask", mask_model},  {"sigaltstack", succeeds},
    {"siginterrupt", succeeds},      {"alarm", alarm_model},           {"setitimer", alarm_model},
    {"pause", pause_model},          {"sigsuspend", pause_model},      {"sigwait", pause_model},
};

}  // namespace

std::span<const NamedModel> signal_models() { return kSignalsModels; }

}  // namespace trikal::predict
