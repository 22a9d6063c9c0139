// OpenMP: iterations of loops that are shared out among the threads of a team, sections, and tasks.

#include <algorithm>

#include "predict/models/list.hpp"
#include "predict/models/openmp.hpp"

namespace trikal::predict {
namespace {

constexpr Word kStaticChunked = 33, kStaticGreedyChunked = 45;
constexpr Word kModifiers = (Word{1} << 29) | (Word{1} << 30);

// Iterations of a loop: from the first to the last, both included.
struct Range {
  std::int64_t lower = 0, upper = 0, step = 1;
  unsigned width = 32;
  bool sign = true;
  [[nodiscard]] Word iterations() const {
    const bool none = sign || step < 0 ? (step > 0 ? upper < lower : lower < upper)
                                       : static_cast<Word>(upper) < static_cast<Word>(lower);
    if (none || step == 0) return 0;
    return step > 0 ? (static_cast<Word>(upper) - static_cast<Word>(lower)) / static_cast<Word>(step) + 1
                    : (static_cast<Word>(lower) - static_cast<Word>(upper)) / static_cast<Word>(-step) + 1;
  }
};

unsigned width_of(std::string_view name) { return name.find("_8") != std::string_view::npos ? 64 : 32; }
bool signed_by(std::string_view name) { return !name.ends_with('u'); }
std::int64_t number(Value value, unsigned width, bool sign) {
  return sign ? with_sign(value.bits, width) : static_cast<std::int64_t>(lowest(value.bits, width));
}

// As even as can be, in the order of the threads: the first ones have one iteration more. Nothing to do: the last is before the first.
struct Share {
  Range range;
  bool last = false;
};
Share even_share(const Range& all, Word size, Word own) {
  const Word iterations = all.iterations(), each = iterations / size, more = iterations % size;
  const Word first = own * each + std::min(own, more), count = each + (own < more ? 1 : 0);
  Share share{all};
  share.range.lower = all.lower + static_cast<std::int64_t>(first) * all.step;
  share.range.upper = share.range.lower + (static_cast<std::int64_t>(count) - 1) * all.step;
  share.last = count > 0 && first + count == iterations;
  return share;
}

void put_number(Machine& machine, const Call& call, Value where, unsigned bytes, std::int64_t value) {
  if (where.known() && where.bits != 0)
    machine.put(call, where.bits, bytes, Value::of(lowest(static_cast<Word>(value), 8 * bytes)));
}

// Shares move by jumps where the number of iterations grows evenly.
void tell_division(Machine& machine, const Call& call, Word iterations, Word size) {
  Event happened{Happened::kDivide};
  happened.id = call.at.id, happened.a = iterations, happened.b = size;
  machine.event(happened);
}

// (source, thread, schedule, &last, &lower, &upper, &stride, step, chunk)
void static_model(Machine& machine, Call& call) {
  const unsigned width = width_of(call.name), bytes = width / 8;
  const Value lower = call.argument(4), upper = call.argument(5), stride = call.argument(6);
  if (!lower.known() || !upper.known()) return;
  const Value from = machine.memory.load(lower.bits, bytes), to = machine.memory.load(upper.bits, bytes);
  const Value step = call.argument(7), chunk = call.argument(8);
  const Word size = team_size(machine), own = own_number(machine);
  if (!from.known() || !to.known() || !step.known() ||
      !chunk.known()) {  // one thread does all of it: the sums are right
    put_number(machine, call, call.argument(3), 4, own == 0 ? 1 : 0);
    if (own == 0) return;
    put_number(machine, call, lower, bytes, 1);
    return put_number(machine, call, upper, bytes, 0);
  }
  const bool sign = signed_by(call.name);
  const Range all{number(from, width, sign), number(to, width, sign), with_sign(step.bits, width), width, sign};
  const Word iterations = all.iterations();
  if (iterations == 0) return put_number(machine, call, call.argument(3), 4, 0);
  const Word schedule = call.argument(2).bits & ~kModifiers;
  Share share{all};
  auto moves = static_cast<std::int64_t>(iterations);
  tell_division(machine, call, iterations, size);
  if (schedule == kStaticChunked || schedule == kStaticGreedyChunked) {
    const Word piece = std::max<Word>(1, lowest(chunk.bits, width));
    const auto span = static_cast<std::int64_t>(piece) * all.step;
    share.range.lower = all.lower + span * static_cast<std::int64_t>(own);
    share.range.upper = share.range.lower + span - all.step;
    share.last = own == (iterations - 1) / piece % size;
    moves = span * static_cast<std::int64_t>(size);
  } else {
    share = even_share(all, size, own);
  }
  put_number(machine, call, call.argument(3), 4, share.last ? 1 : 0);
  put_number(machine, call, lower, bytes, share.range.lower);
  put_number(machine, call, upper, bytes, share.range.upper);
  put_number(machine, call, stride, bytes, moves);
}

// Pieces that go to whoever comes: which thread gets which is chance. Here each gets its even share, as one piece.
constexpr Word kLower = 8, kUpper = 16, kStep = 24, kLeft = 32, kLast = 36;

// (source, thread, schedule, lower, upper, step, chunk)
void begin_pieces_model(Machine& machine, Call& call) {
  const unsigned width = width_of(call.name);
  const bool sign = signed_by(call.name);
  const Value from = call.argument(3), to = call.argument(4), step = call.argument(5);
  const Word size = team_size(machine), own = own_number(machine), address = own_words(machine);
  const bool known = from.known() && to.known() && step.known();
  Share share;
  if (known) {
    const Range all{number(from, width, sign), number(to, width, sign), with_sign(step.bits, width), width, sign};
    tell_division(machine, call, all.iterations(), size);
    share = even_share(all, size, own);
    const bool some = all.iterations() / size + (own < all.iterations() % size ? 1 : 0) > 0;
    machine.put(call, address + kLeft, 4, Value::of(Word{some}));
  } else {
    machine.put(call, address + kLeft, 4, Value::of(Word{own == 0}));
  }
  const auto whole = [](std::int64_t value) { return Value::of(static_cast<Word>(value)); };
  machine.put(call, address + kLower, 8, known ? whole(share.range.lower) : from);
  machine.put(call, address + kUpper, 8, known ? whole(share.range.upper) : to);
  machine.put(call, address + kStep, 8, known ? whole(share.range.step) : step);
  machine.put(call, address + kLast, 4, Value::of(Word{share.last || !known}));
  if (machine.threads.team != nullptr && size > 1) machine.threads.team->by_chance = true, tell_chance(machine);
}

// (source, thread, &last, &lower, &upper, &step)
void next_piece_model(Machine& machine, Call& call) {
  const unsigned bytes = width_of(call.name) / 8;
  const Word address = own_words(machine);
  const Value left = machine.memory.load(address + kLeft, 4);
  call.returns(left);
  if (!left.known() || left.bits == 0) return;
  machine.put(call, address + kLeft, 4, Value::of(Word{0}));
  const auto hand = [&](std::size_t argument, Word from, unsigned size) {
    const Value where = call.argument(argument);
    Value value = machine.memory.load(address + from, size == 4 && from == kLast ? 4 : 8);
    value.bits = lowest(value.bits, 8 * size);
    if (where.known() && where.bits != 0) machine.put(call, where.bits, size, value);
  };
  hand(2, kLast, 4), hand(3, kLower, bytes), hand(4, kUpper, bytes), hand(5, kStep, bytes);
}

// A task: what it shares, its function, the rest of its own. It is done where it is made.
constexpr Word kShared = 0, kFunction = 8;

// (source, thread, flags, bytes of the task, bytes of what it shares, function)
void make_task_model(Machine& machine, Call& call) {
  constexpr Word kCapacity = 1 << 16;
  const Value bytes = call.argument(3), shared = call.argument(4);
  const Word own = bytes.known() ? (bytes.bits + 15) / 16 * 16 : kCapacity;
  const Word task = machine.world.take(own + (shared.known() ? shared.bits : kCapacity));
  machine.memory.store(task + kShared, 8, Value::of(task + own));
  machine.memory.store(task + kFunction, 8, call.argument(5));
  call.returns(Value::of(task));
}
void run_task(Machine& machine, Call& call, Value task) {
  const Value function = task.known() ? machine.memory.load(task.bits + kFunction, 8) : task;
  if (!function.known()) return machine.note("a task whose function is not known");
  const Value arguments[] = {Value::of(Word{own_number(machine)}), task};
  if (machine.threads.team != nullptr) ++machine.threads.team->anyone;
  machine.invoke(function.bits, arguments, call);
  if (machine.threads.team != nullptr) --machine.threads.team->anyone;
  machine.world.give_back(task.bits);
}
void task_model(Machine& machine, Call& call) { run_task(machine, call, call.argument(2)); }
// The whole loop as one task: its bounds lie in the task already.
void task_loop_model(Machine& machine, Call& call) { run_task(machine, call, call.argument(2)); }
void end_task_model(Machine& machine, Call& call) {
  if (call.argument(2).known()) machine.world.give_back(call.argument(2).bits);
}

constexpr NamedModel kOpenmpLoopsModels[] = {
    {"__kmpc_for_static_init_4", static_model},
    {"__kmpc_for_static_init_4u", static_model},
    {"__kmpc_for_static_init_8", static_model},
    {"__kmpc_for_static_init_8u", static_model},
    {"__kmpc_for_static_fini", succeeds},
    {"__kmpc_dispatch_init_4", begin_pieces_model},
    {"__kmpc_dispatch_init_4u", begin_pieces_model},
    {"__kmpc_dispatch_init_8", begin_pieces_model},
    {"__kmpc_dispatch_init_8u", begin_pieces_model},
    {"__kmpc_dispatch_next_4", next_piece_model},
    {"__kmpc_dispatch_next_4u", next_piece_model},
    {"__kmpc_dispatch_next_8", next_piece_model},
    {"__kmpc_dispatch_next_8u", next_piece_model},
    {"__kmpc_dispatch_fini_4", succeeds},
    {"__kmpc_dispatch_fini_4u", succeeds},
    {"__kmpc_dispatch_fini_8", succeeds},
    {"__kmpc_dispatch_fini_8u", succeeds},
    {"__kmpc_dispatch_deinit", succeeds},
    {"__kmpc_doacross_init", succeeds},
    {"__kmpc_doacross_wait", succeeds},
    {"__kmpc_doacross_post", succeeds},
    {"__kmpc_doacross_fini", succeeds},
    {"__kmpc_omp_task_alloc", make_task_model},
    {"__kmpc_omp_task", task_model},
    {"__kmpc_omp_task_parts", task_model},
    {"__kmpc_omp_task_with_deps", task_model},
    {"__kmpc_omp_task_begin_if0", succeeds},
    {"__kmpc_omp_task_complete_if0", end_task_model},
    {"__kmpc_omp_wait_deps", succeeds},
    {"__kmpc_omp_taskwait", succeeds},
    {"__kmpc_omp_taskwait_deps_51", succeeds},
    {"__kmpc_omp_taskyield", succeeds},
    {"__kmpc_taskgroup", succeeds},
    {"__kmpc_end_taskgroup", succeeds},
    {"__kmpc_taskloop", task_loop_model},
    {"__kmpc_taskloop_5", task_loop_model},
};

}  // namespace

std::span<const NamedModel> openmp_loop_models() { return kOpenmpLoopsModels; }

}  // namespace trikal::predict
