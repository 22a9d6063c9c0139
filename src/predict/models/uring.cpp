// io_uring through liburing: the functions that are not inline. What is submitted is done at once, so what is waited for
// is there, or never comes.

#include "predict/models/uring.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kAskedSize = 1U << 3U, kClamps = 1U << 4U;  // IORING_SETUP_CQSIZE, IORING_SETUP_CLAMP

void refuse(Call& call, int number) { call.returns(Value::of(lowest(static_cast<Word>(-number), 32))); }

// A power of two, as the kernel makes it; 0: refused.
Word queue_size(Word asked, Word most, bool clamps) {
  if (asked == 0 || (asked > most && !clamps)) return 0;
  return std::bit_ceil(std::min(asked, most));
}

// False: the call says why.
bool set_up(Machine& machine, Call& call, Value flags, Value asked_completions) {
  constexpr Word kMost = 32768;
  const Value entries = call.argument(0), object = call.argument(1);
  if (!entries.known() || !object.known() || !flags.known() || !asked_completions.known()) {
    machine.note("a ring of io_uring whose size is not known is not followed");
    call.returns(machine.unknown(call.at, "a ring of io_uring"));
    return false;
  }
  const bool clamps = (flags.bits & kClamps) != 0;
  Ring::Shape shape{queue_size(lowest(entries.bits, 32), kMost, clamps), 0, flags.bits};
  shape.completions =
      (flags.bits & kAskedSize) != 0 ? queue_size(asked_completions.bits, 2 * kMost, clamps) : 2 * shape.entries;
  if (shape.entries == 0 || shape.completions < shape.entries) return refuse(call, EINVAL), false;
  (void)Ring::make(machine, object.bits, shape);
  machine.note("what goes through io_uring is counted as reads and writes of POSIX; a run does not observe it");
  return true;
}

void init_model(Machine& machine, Call& call) { (void)set_up(machine, call, call.argument(2), Value::of(Word{0})); }
void init_params_model(Machine& machine, Call& call) {
  const Value parameters = call.argument(2);
  if (!parameters.known()) return call.returns(machine.unknown(call.at, "a ring of io_uring"));
  const Value completions = machine.memory.load(parameters.bits + 4, 4);
  if (!set_up(machine, call, machine.memory.load(parameters.bits + 8, 4), completions)) return;
  if (const auto ring = Ring::at(machine, call.argument(1))) ring->describe(parameters.bits);
}
void exit_model(Machine& machine, Call& call) {
  if (auto ring = Ring::at(machine, call.argument(0))) ring->destroy();
}

std::optional<Ring> ring_of(Machine& machine, Call& call) {
  auto ring = Ring::at(machine, call.argument(0));
  if (!ring) {
    machine.note("a ring of io_uring that is not known is not followed");
    call.returns(machine.unknown(call.at, "a ring of io_uring"));
  }
  return ring;
}

// How many were taken.
Value submit(Machine& machine, Call& call, Ring& ring) {
  constexpr Word kLinks = 1U << 2U, kLinksHard = 1U << 3U, kSilent = 1U << 6U;
  for (Value& argument : call.arguments) argument.data = true;  // what is asked for comes from memory that moves
  ring.flush(call);
  const auto all = ring.take(call);
  if (!all) {
    machine.note("what is submitted to io_uring is not known");
    return machine.unknown(call.at, "how much io_uring took");
  }
  bool cancelled = false;  // the rest of the chain
  for (const Submission& one : *all) {
    Completion now{Value::of(lowest(static_cast<Word>(-ECANCELED), 32)), true};
    if (!cancelled) now = carry_out(machine, call, ring, one);
    if (now.failed || (one.flags.bits & kSilent) == 0) ring.post(call, one.data, now.result);
    if ((one.flags.bits & (kLinks | kLinksHard)) == 0) cancelled = false;
    else if (now.failed && (one.flags.bits & kLinksHard) == 0) cancelled = true;
  }
  return Value::of(Word{all->size()});
}

void never(Machine& machine, Call& call) {
  machine.note("a completion of io_uring is waited for that never comes");
  machine.complete = false;
  call.returns(machine.unknown(call.at, "a completion of io_uring"));
}

// Puts the first completion behind `pointer`. What is returned is 0 unless there is none.
void wait(Machine& machine, Call& call, Ring& ring, Value pointer, Value count, bool timed) {
  ring.flush(call);
  const Value ready = ring.ready();
  const auto say = [&](Value value) {
    if (pointer.known() && pointer.bits != 0) machine.put(call, pointer.bits, 8, value);
  };
  if (!ready.known() || !count.known()) {
    const Value unknown = machine.unknown(call.at, "a completion of io_uring");
    return say(unknown), call.returns(unknown);
  }
  if (ready.bits == 0 && count.bits == 0) return say(Value::of(Word{0})), refuse(call, EAGAIN);
  if (ready.bits == 0 && timed) return say(Value::of(Word{0})), refuse(call, ETIME);
  if (ready.bits >= count.bits || timed) return say(ring.completion(0));
  say(machine.unknown(call.at, "a completion of io_uring"));
  never(machine, call);
}

void submit_model(Machine& machine, Call& call) {
  if (auto ring = ring_of(machine, call)) call.returns(submit(machine, call, *ring));
}
void submit_and_wait_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  const Value count = call.argument(1), taken = submit(machine, call, *ring), ready = ring->ready();
  call.returns(taken);
  if (ready.known() && count.known() && ready.bits < count.bits) never(machine, call);
}
void submit_and_wait_timeout_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  const Value taken = submit(machine, call, *ring);
  wait(machine, call, *ring, call.argument(1), call.argument(2),
       !call.argument(3).known() || call.argument(3).bits != 0);
  if (call.result[0].known() && call.result[0].bits == 0) call.returns(taken);
}
void get_completion_model(Machine& machine, Call& call) {  // beneath the inline functions
  auto ring = ring_of(machine, call);
  if (!ring) return;
  if (call.argument(2).bits != 0) (void)submit(machine, call, *ring);
  wait(machine, call, *ring, call.argument(1), call.argument(3), false);
}
void wait_model(Machine& machine, Call& call) {
  if (auto ring = ring_of(machine, call))
    wait(machine, call, *ring, call.argument(1), call.argument(2),
         !call.argument(3).known() || call.argument(3).bits != 0);
}
void wait_timeout_model(Machine& machine, Call& call) {
  if (auto ring = ring_of(machine, call))
    wait(machine, call, *ring, call.argument(1), Value::of(Word{1}),
         !call.argument(2).known() || call.argument(2).bits != 0);
}
void peek_batch_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  ring->flush(call);
  const Value ready = ring->ready(), most = call.argument(2);
  if (!ready.known() || !most.known() || !call.argument(1).known())
    return call.returns(machine.unknown(call.at, "completions of io_uring"));
  const Word count = std::min(ready.bits, lowest(most.bits, 32));
  for (Word i = 0; i < count; ++i) machine.put(call, call.argument(1).bits + 8 * i, 8, ring->completion(i));
  call.returns(Value::of(count));
}

// Descriptors from memory into the table; how many.
Word update_files(Machine& machine, Ring& ring, Word first, Value list, Word count) {
  for (Word i = 0; i < count; ++i) {
    const Value descriptor = list.known() ? machine.memory.load(list.bits + 4 * i, 4) : list;
    ring.set_file(first + i, descriptor.known() ? machine.world.hold(static_cast<int>(descriptor.bits)) : -1);
  }
  return count;
}
void register_files_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  const bool sparse = call.arguments.size() < 3;
  const Value count = call.argument(call.name.ends_with("tags") ? 3 : sparse ? 1 : 2);
  if (!count.known()) return call.returns(machine.unknown(call.at, "files registered with io_uring"));
  if (!ring->register_files(count.bits)) return refuse(call, count.bits == 0 ? EINVAL : EBUSY);
  if (!sparse) (void)update_files(machine, *ring, 0, call.argument(1), count.bits);
}
void update_files_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  const Value first = call.argument(1), count = call.argument(call.arguments.size() > 4 ? 4 : 3);
  if (!first.known() || !count.known()) return call.returns(machine.unknown(call.at, "files registered with io_uring"));
  if (ring->files() == 0) return refuse(call, ENXIO);
  if (first.bits + count.bits > ring->files()) return refuse(call, EINVAL);
  call.returns(Value::of(update_files(machine, *ring, first.bits, call.argument(2), count.bits)));
}
void unregister_files_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (ring && !ring->unregister_files()) refuse(call, ENXIO);
}
void register_buffers_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (!ring) return;
  const Value count = call.argument(call.name.ends_with("tags") ? 3 : 2);
  if (!count.known() || !call.argument(1).known())
    return call.returns(machine.unknown(call.at, "buffers registered with io_uring"));
  if (!ring->register_buffers(call.argument(1), count.bits)) refuse(call, count.bits == 0 ? EINVAL : EBUSY);
}
void unregister_buffers_model(Machine& machine, Call& call) {
  auto ring = ring_of(machine, call);
  if (ring && !ring->unregister_buffers()) refuse(call, ENXIO);
}

void one_model(Machine& /*machine*/, Call& call) { call.returns(Value::of(Word{1})); }

// Everything that Linux 6.1 has is supported.
void probe_model(Machine& machine, Call& call) {
  constexpr Word kLast = 48, kHead = 16;
  const Word probe = machine.world.take(kHead + 8 * (kLast + 1));
  machine.memory.fill(probe, kHead + 8 * (kLast + 1), 0);
  machine.memory.store(probe, 1, Value::of(kLast));
  machine.memory.store(probe + 1, 1, Value::of(kLast + 1));
  for (Word i = 0; i <= kLast; ++i) {
    machine.memory.store(probe + kHead + 8 * i, 1, Value::of(i));
    machine.memory.store(probe + kHead + 8 * i + 2, 2, Value::of(Word{1}));
  }
  call.returns(Value::of(probe));
}
void free_probe_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits);
}

void raw_model(Machine& machine, Call& call) {
  machine.note(std::string(call.name) +
               " is called directly: what goes through such a ring of io_uring is not followed");
  machine.complete = false;
  call.returns(machine.unknown(call.at, "a ring of io_uring that is used without liburing"));
}
// Any system call by its number: none is followed.
void system_call_model(Machine& machine, Call& call) {
  constexpr Word kSetUp = 425, kRegister = 427;
  machine.unmodelled.insert(std::string(call.name));
  const Value number = call.argument(0);
  const auto assumed = machine.setting.assumed.find(std::string(call.name));
  if (number.known() && number.bits >= kSetUp && number.bits <= kRegister) raw_model(machine, call);
  else if (assumed != machine.setting.assumed.end()) call.returns(Value::of(static_cast<Word>(assumed->second)));
  else call.returns(machine.unknown(call.at, "the result of " + std::string(call.name)));
  for (const Value& argument : call.arguments)
    machine.forget_behind(call, argument, "what a system call left behind a pointer");
}

constexpr NamedModel kUringModels[] = {
    {"io_uring_queue_init", init_model},
    {"io_uring_queue_init_params", init_params_model},
    {"io_uring_queue_exit", exit_model},
    {"io_uring_submit", submit_model},
    {"io_uring_submit_and_get_events", submit_model},
    {"io_uring_submit_and_wait", submit_and_wait_model},
    {"io_uring_submit_and_wait_timeout", submit_and_wait_timeout_model},
    {"__io_uring_get_cqe", get_completion_model},
    {"io_uring_wait_cqes", wait_model},
    {"io_uring_wait_cqe_timeout", wait_timeout_model},
    {"io_uring_peek_batch_cqe", peek_batch_model},
    {"io_uring_get_events", succeeds},
    {"io_uring_register_files", register_files_model},
    {"io_uring_register_files_tags", register_files_model},
    {"io_uring_register_files_sparse", register_files_model},
    {"io_uring_register_files_update", update_files_model},
    {"io_uring_register_files_update_tag", update_files_model},
    {"io_uring_unregister_files", unregister_files_model},
    {"io_uring_register_buffers", register_buffers_model},
    {"io_uring_register_buffers_tags", register_buffers_model},
    {"io_uring_unregister_buffers", unregister_buffers_model},
    {"io_uring_register_ring_fd", one_model},
    {"io_uring_unregister_ring_fd", one_model},
    {"io_uring_register_iowq_aff", succeeds},
    {"io_uring_register_iowq_max_workers", succeeds},
    {"io_uring_ring_dontfork", succeeds},
    {"io_uring_enable_rings", succeeds},
    {"__io_uring_sqring_wait", succeeds},
    {"io_uring_get_probe", probe_model},
    {"io_uring_get_probe_ring", probe_model},
    {"io_uring_free_probe", free_probe_model},
    {"io_uring_setup", raw_model},
    {"io_uring_enter", raw_model},
    {"io_uring_enter2", raw_model},
    {"io_uring_register", raw_model},
    {"io_uring_queue_mmap", raw_model},
    {"syscall", system_call_model},
};

}  // namespace

std::span<const NamedModel> uring_models() { return kUringModels; }

}  // namespace trikal::predict
