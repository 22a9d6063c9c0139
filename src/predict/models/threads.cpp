// Threads of POSIX and of C11. One at a time is followed: a thread does its work where it is started, or, where it has to
// wait for what its creator does later, where that one waits for it.

#include <llvm/IR/Function.h>

#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <utility>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kThreads =
    kLibc + (Word{1} << 16);  // how many were made, which one runs, waits in vain; results by number
constexpr Word kMade = kThreads, kRuns = kThreads + 8, kWaits = kThreads + 16, kLastKey = kThreads + 24,
               kExitValue = kThreads + 32, kResults = kThreads + 64;
constexpr Word kFirstThread = 0x7f0000000000, kThreadBytes = 0x1000;  // as their pthread_t
constexpr Word kKeyBytes = 16, kMostKeys = 1024;  // of each thread

Word number(Machine& machine, Word address) { return machine.memory.load(address, 8).bits; }
Word thread_named(Word number) { return kFirstThread + kThreadBytes * number; }
Word key_address(Machine& machine, Word key) {
  constexpr Word kValues = (Word{1} << 47) + (Word{1} << 27);
  return kValues + 8 * (kMostKeys * number(machine, kRuns) + key);
}
Word destructor_address(Word key) { return kKeys + kKeyBytes * key; }

// What the thread kept for itself goes through the functions that were given for it.
void destroy_keys(Machine& machine, const Call& call) {
  const Word last = number(machine, kLastKey);
  for (Word key = 1; key <= last && key < kMostKeys; ++key) {
    const Value kept = machine.memory.load(key_address(machine, key), 8);
    const Word by = number(machine, destructor_address(key));
    if (by == 0 || !kept.known() || kept.bits == 0) continue;
    machine.memory.store(key_address(machine, key), 8, Value::of(Word{0}));
    const llvm::Function* function = machine.decoder.function_at(by);
    const Value argument[] = {kept};
    if (function != nullptr && !function->isDeclaration()) machine.invoke(by, argument, call);
    else machine.world.give_back(kept.bits);
  }
}

// False: it has to wait, and is as if it had not begun.
bool run(Machine& machine, const Call& call, const WaitingThread& thread) {
  const Word before = number(machine, kRuns);
  Value result;
  machine.put(call, kRuns, 8, Value::of(thread.number));
  const Threads::End end = machine.threads.run(thread.function, thread.argument, call, result);
  if (end == Threads::End::kReturned || end == Threads::End::kExited) destroy_keys(machine, call);
  machine.put(call, kRuns, 8, Value::of(before));
  if (end == Threads::End::kExited) result = machine.memory.load(kExitValue, 8);
  if (end != Threads::End::kWaits) machine.memory.store(kResults + 8 * thread.number, 8, result);
  return end != Threads::End::kWaits;
}

// Threads that wait go on, as far as they can; whether one did.
bool run_waiting(Machine& machine, const Call& call) {
  bool any = false;
  for (bool more = true; more;) {
    more = false;
    const std::vector<WaitingThread> all = std::exchange(machine.world.waiting, {});
    for (const WaitingThread& thread : all) {
      const double before = machine.ledger.operations();
      const bool ended = run(machine, call, thread);
      more = more || ended;
      if (ended) continue;
      if (machine.ledger.operations() == before) machine.world.waiting.push_back(thread);
      else
        machine.note("a thread waits for another in the middle of its work: what it does then is not predicted"),
            machine.complete = false;
    }
    any = any || more;
  }
  return any;
}

void make_thread(Machine& machine, Call& call, Value function, Value argument) {
  const Word made = number(machine, kMade) + 1;
  machine.put(call, kMade, 8, Value::of(made));
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 8, Value::of(thread_named(made)));
  if (!function.known()) {
    machine.complete = false;
    return machine.note("a thread whose function is not known");
  }
  const WaitingThread thread{made, function.bits, argument};
  const double before = machine.ledger.operations();
  if (run(machine, call, thread)) return;
  if (machine.ledger.operations() == before) return machine.world.waiting.push_back(thread);
  machine.complete = false;
  machine.note("a thread waits for another in the middle of its work: what it does then is not predicted");
}
void create_model(Machine& machine, Call& call) { make_thread(machine, call, call.argument(2), call.argument(3)); }
void thrd_create_model(Machine& machine, Call& call) { make_thread(machine, call, call.argument(1), call.argument(2)); }

// What it returned: four bytes of it for C11.
void join(Machine& machine, Call& call, unsigned bytes) {
  const Value thread = call.argument(0), where = call.argument(1);
  if (!machine.world.waiting.empty()) {
    run_waiting(machine, call);
    const Word wanted = thread.known() ? (thread.bits - kFirstThread) / kThreadBytes : 0;
    if (std::erase_if(machine.world.waiting, [&](const WaitingThread& one) { return one.number == wanted; }) > 0) {
      machine.note("a thread waits for ever: what it would do is not predicted");
      machine.complete = false;
    }
  }
  if (!where.known() || where.bits == 0) return;
  if (thread.known() && thread.bits >= kFirstThread)
    machine.memory.copy(where.bits, kResults + 8 * ((thread.bits - kFirstThread) / kThreadBytes), bytes);
  else machine.memory.forget(where.bits, bytes, machine.unknown(call.at, "what a thread returned").cause);
}
void join_model(Machine& machine, Call& call) { join(machine, call, 8); }
void thrd_join_model(Machine& machine, Call& call) { join(machine, call, 4); }

void exit_model(Machine& machine, Call& call) {
  if (machine.threads.inside()) {
    machine.memory.store(kExitValue, 8, call.argument(0));
    machine.threads.leave(Threads::End::kExited);
  }
  run_waiting(machine, call);  // the others go on
  end_program(machine, call, 0, true);
}

void self_model(Machine& machine, Call& call) { call.returns(Value::of(thread_named(number(machine, kRuns)))); }
void equal_model(Machine&, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  call.returns(Value::of(Word{call.argument(0).bits == call.argument(1).bits}));
}

// Somebody else has to do something first.
void wait_for_others(Machine& machine, const Call& call) {
  constexpr Word kMostWaits = 1000;
  if (machine.threads.inside()) machine.threads.leave(Threads::End::kWaits);
  const Word waits = run_waiting(machine, call) ? 0 : number(machine, kWaits) + 1;
  machine.memory.store(kWaits, 8, Value::of(waits));
  without_pattern(machine, call, machine.budget.steps());
  if (waits < kMostWaits) return;
  machine.note("the program waits for a thread that does not come: what is behind that is not predicted");
  machine.complete = false;
  machine.leave(0);
}
void cond_wait_model(Machine& machine, Call& call) { wait_for_others(machine, call); }
void timed_wait_model(Machine& machine, Call& call) {
  if (machine.threads.inside()) machine.threads.leave(Threads::End::kWaits);
  if (!run_waiting(machine, call)) call.returns(machine.unknown(call.at, "whether a wait took too long"));
}

// --- Once

void once_model(Machine& machine, Call& call) {
  constexpr Word kDone = 2;
  if (const Value none = first_unknown(call, 2); !none.known()) return;
  const Value state = machine.memory.load(call.argument(0).bits, 4);
  if (!state.known() || state.bits == kDone) return;
  machine.memory.store(call.argument(0).bits, 4, Value::of(kDone));
  machine.invoke(call.argument(1).bits, {}, call);
}

// --- What each thread has for itself

void key_create_model(Machine& machine, Call& call) {
  const Word key = number(machine, kLastKey) + 1;
  if (key >= kMostKeys) return call.returns(Value::of(Word{EAGAIN}));
  machine.memory.store(kLastKey, 8, Value::of(key));
  machine.memory.store(destructor_address(key), 8, call.argument(1));
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 4, Value::of(key));
}
void key_delete_model(Machine& machine, Call& call) {
  const Value key = call.argument(0);
  if (key.known()) machine.memory.store(destructor_address(lowest(key.bits, 32)), 8, Value::of(Word{0}));
}
void set_specific_model(Machine& machine, Call& call) {
  const Value key = call.argument(0);
  if (key.known()) machine.memory.store(key_address(machine, lowest(key.bits, 32)), 8, call.argument(1));
}
void get_specific_model(Machine& machine, Call& call) {
  const Value key = call.argument(0);
  call.returns(key.known() ? machine.memory.load(key_address(machine, lowest(key.bits, 32)), 8) : key);
}

// --- Barriers: how many there are, and how many have come. The last one is told that it is.

void barrier_init_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return;
  machine.memory.store(where.bits, 4, call.argument(2));
  machine.memory.store(where.bits + 4, 4, Value::of(Word{0}));
}
void barrier_wait_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return call.returns(where);
  const Value all = machine.memory.load(where.bits, 4), come = machine.memory.load(where.bits + 4, 4);
  if (!all.known() || !come.known()) return call.returns(machine.unknown(call.at, "which thread is the last"));
  const bool last = come.bits + 1 >= all.bits;
  machine.put(call, where.bits + 4, 4, Value::of(last ? 0 : come.bits + 1));
  without_pattern(machine, call, Word{last});
  if (last) call.returns(Value::of(lowest(~Word{0}, 32)));
}

// --- Semaphores: a number in the first four bytes

void sem_init_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 4, call.argument(2));
}
void sem_open_model(Machine& machine, Call& call) {
  const Word at = machine.world.take(sizeof(sem_t));
  machine.memory.store(at, 4, call.arguments.size() > 3 ? call.argument(3) : Value::of(Word{0}));
  call.returns(Value::of(at));
}
void sem_post_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return;
  const Value count = machine.memory.load(where.bits, 4);
  machine.put(call, where.bits, 4, count.known() ? Value::of(count.bits + 1) : count);
}
void sem_wait_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return;
  Value count = machine.memory.load(where.bits, 4);
  machine.compare(call, 1, count.bits);
  while (count.known() && count.bits == 0) {
    if (call.name == "sem_trywait") return fail(machine, call, EAGAIN);
    wait_for_others(machine, call);
    count = machine.memory.load(where.bits, 4);
  }
  machine.put(call, where.bits, 4, count.known() ? Value::of(count.bits - 1) : count);
}
void sem_value_model(Machine& machine, Call& call) {
  if (call.argument(0).known() && call.argument(1).known())
    machine.memory.copy(call.argument(1).bits, call.argument(0).bits, 4);
}

void stack_size_model(Machine& machine, Call& call) {
  constexpr Word kUsual = Word{8} << 20;
  if (call.argument(1).known()) machine.memory.store(call.argument(1).bits, 8, Value::of(kUsual));
}
void attribute_zero_model(Machine& machine, Call& call) {
  if (call.argument(1).known()) machine.memory.store(call.argument(1).bits, 4, Value::of(Word{0}));
}

constexpr NamedModel kThreadsModels[] = {
    {"pthread_create", create_model},
    {"pthread_join", join_model},
    {"pthread_timedjoin_np", join_model},
    {"pthread_exit", exit_model},
    {"pthread_self", self_model},
    {"pthread_equal", equal_model},
    {"pthread_once", once_model},
    {"pthread_cond_wait", cond_wait_model},
    {"pthread_cond_timedwait", timed_wait_model},
    {"pthread_cond_clockwait", timed_wait_model},
    {"pthread_key_create", key_create_model},
    {"__pthread_key_create", key_create_model},
    {"pthread_key_delete", key_delete_model},
    {"pthread_setspecific", set_specific_model},
    {"pthread_getspecific", get_specific_model},
    {"pthread_barrier_init", barrier_init_model},
    {"pthread_barrier_wait", barrier_wait_model},
    {"pthread_attr_getstacksize", stack_size_model},
    {"pthread_attr_getdetachstate", attribute_zero_model},
    {"pthread_mutexattr_gettype", attribute_zero_model},
    {"sem_init", sem_init_model},
    {"sem_open", sem_open_model},
    {"sem_post", sem_post_model},
    {"sem_wait", sem_wait_model},
    {"sem_trywait", sem_wait_model},
    {"sem_timedwait", sem_wait_model},
    {"sem_getvalue", sem_value_model},
    {"sem_destroy", succeeds},
    {"sem_close", succeeds},
    {"sem_unlink", succeeds},
    {"thrd_create", thrd_create_model},
    {"thrd_join", thrd_join_model},
    {"thrd_exit", exit_model},
    {"thrd_current", self_model},
    {"thrd_equal", equal_model},
    {"thrd_yield", succeeds},
    {"thrd_sleep", succeeds},
    {"thrd_detach", succeeds},
    {"call_once", once_model},
    {"cnd_wait", cond_wait_model},
    {"cnd_timedwait", timed_wait_model},
    {"tss_create", key_create_model},
    {"tss_delete", key_delete_model},
    {"tss_set", set_specific_model},
    {"tss_get", get_specific_model},
};

// Locks, and settings that nobody sees: one thread at a time is followed.
constexpr std::string_view kWithoutEffect[] = {
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutexattr_init",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setrobust",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setkind_np",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_barrier_destroy",
    "pthread_barrierattr_init",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_setpshared",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize",
    "pthread_attr_setscope",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setschedparam",
    "pthread_attr_setinheritsched",
    "pthread_attr_setguardsize",
    "pthread_attr_setaffinity_np",
    "pthread_detach",
    "pthread_cancel",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_testcancel",
    "pthread_setname_np",
    "pthread_setaffinity_np",
    "pthread_setschedparam",
    "pthread_setconcurrency",
    "pthread_atfork",
    "__register_atfork",
    "pthread_yield",
    "mtx_init",
    "mtx_destroy",
    "mtx_lock",
    "mtx_trylock",
    "mtx_timedlock",
    "mtx_unlock",
    "cnd_init",
    "cnd_destroy",
    "cnd_signal",
    "cnd_broadcast",
};

std::vector<NamedModel> made() {
  std::vector<NamedModel> all(std::begin(kThreadsModels), std::end(kThreadsModels));
  for (const std::string_view name : kWithoutEffect) all.push_back({name, succeeds});
  return all;
}

}  // namespace

std::span<const NamedModel> thread_models() {
  static const std::vector<NamedModel> all = made();
  return all;
}

}  // namespace trikal::predict
