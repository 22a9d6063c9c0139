// OpenMP: parallel regions, and who of a team does what.

#include <algorithm>
#include <utility>

#include "predict/models/list.hpp"
#include "predict/models/openmp.hpp"

namespace trikal::predict {
namespace {

// Every thread has an address for its number, which the region's function gets.
Word number_address(const Machine& machine) { return own_words(machine); }

std::uint32_t next_size(Machine& machine) {
  const std::uint32_t wanted = std::exchange(machine.threads.wanted, 0U);
  const unsigned active = machine.threads.team != nullptr ? machine.threads.team->active_level() : 0;
  if (active >= most_active_levels(machine)) return 1;
  return wanted != 0 ? wanted : default_threads(machine);
}

void run_region(Machine& machine, Call& call, std::uint32_t size) {
  const Value function = call.argument(2);
  if (!function.known()) return machine.note("a parallel region whose function is not known");
  std::vector<Value> arguments = {Value{}, Value{}};
  for (std::size_t i = 3; i < call.arguments.size(); ++i) arguments.push_back(call.arguments[i]);
  Team team(machine, size);
  team.run([&] {
    const Word address = number_address(machine);
    machine.memory.store(address, 4, Value::of(Word{own_number(machine)}));
    machine.memory.store(address + 4, 4, Value::of(Word{0}));
    std::vector<Value> own = arguments;
    own[0] = Value::of(address), own[1] = Value::of(address + 4);
    machine.invoke(function.bits, own, call);
  });
}
void fork_model(Machine& machine, Call& call) { run_region(machine, call, next_size(machine)); }
// The last argument says whether it is parallel at all.
void fork_if_model(Machine& machine, Call& call) {
  const Value parallel = call.argument(3);
  const std::uint32_t size = next_size(machine);
  std::vector<Value> arguments = call.arguments;
  if (arguments.size() > 3) arguments.erase(arguments.begin() + 3);
  Call without{call.at, call.frame, call.name, std::move(arguments)};
  run_region(machine, without, parallel.known() && parallel.bits == 0 ? 1 : size);
}
void fork_teams_model(Machine& machine, Call& call) { run_region(machine, call, 1); }

// A region with one thread, whose function the program calls itself.
void begin_serial_model(Machine& machine, Call&) { machine.threads.team = new Team(machine, 1); }
void end_serial_model(Machine& machine, Call&) {
  Team* const team = machine.threads.team;
  if (team == nullptr || team->size() != 1) return;
  machine.threads.team = team->around();
  delete team;
}
void push_threads_model(Machine& machine, Call& call) {
  if (call.argument(2).known()) machine.threads.wanted = threads_followed(machine, lowest(call.argument(2).bits, 32));
  else machine.note("how many threads a parallel region has is not known");
}

void number_model(Machine& machine, Call& call) { call.returns(Value::of(Word{own_number(machine)})); }
void barrier_model(Machine& machine, Call&) {
  if (machine.threads.team != nullptr) machine.threads.team->wait();
}
// The first who comes does it, and members come in the order of their numbers.
void first_model(Machine& machine, Call& call) { call.returns(Value::of(Word{own_number(machine) == 0})); }
void single_model(Machine& machine, Call& call) {
  first_model(machine, call);
  if (machine.threads.team != nullptr && call.result[0].bits != 0) ++machine.threads.team->anyone;
}
void end_single_model(Machine& machine, Call&) {
  if (machine.threads.team != nullptr && machine.threads.team->anyone > 0) --machine.threads.team->anyone;
}
void masked_model(Machine& machine, Call& call) {
  const Value chosen = call.argument(2);
  call.returns(chosen.known() ? Value::of(Word{own_number(machine) == chosen.bits}) : chosen);
}
// Who gets 1 adds what it has to what all have; one after the other, so that is right for everybody.
void reduce_model(Machine&, Call& call) { call.returns(Value::of(Word{1})); }

// (..., bytes, list, function that copies from one list into another, whether it is this thread's that all get)
void copy_private_model(Machine& machine, Call& call) {
  if (machine.threads.team == nullptr) return;
  Team& team = *machine.threads.team;
  const Value list = call.argument(3), function = call.argument(4), whose = call.argument(5);
  if (whose.known() && whose.bits != 0) team.shared = list;
  team.wait();
  if ((!whose.known() || whose.bits == 0) && function.known()) {
    const Value lists[] = {list, team.shared};
    machine.invoke(function.bits, lists, call);
  }
  team.wait();
}

// (source, thread, variable, bytes, cache): where this thread's own is.
void own_variable_model(Machine& machine, Call& call) { call.returns(own_copy(machine, call.argument(2))); }

constexpr NamedModel kOpenmpModels[] = {
    {"__kmpc_threadprivate_cached", own_variable_model},
    {"__kmpc_threadprivate_register", succeeds},
    {"__kmpc_fork_call", fork_model},
    {"__kmpc_fork_call_if", fork_if_model},
    {"__kmpc_fork_teams", fork_teams_model},
    {"__kmpc_push_num_teams", succeeds},
    {"__kmpc_serialized_parallel", begin_serial_model},
    {"__kmpc_end_serialized_parallel", end_serial_model},
    {"__kmpc_push_num_threads", push_threads_model},
    {"__kmpc_push_proc_bind", succeeds},
    {"__kmpc_global_thread_num", number_model},
    {"__kmpc_bound_thread_num", number_model},
    {"__kmpc_barrier", barrier_model},
    {"__kmpc_barrier_master", barrier_model},
    {"__kmpc_cancel_barrier", barrier_model},
    {"__kmpc_cancel", succeeds},
    {"__kmpc_cancellationpoint", succeeds},
    {"__kmpc_flush", succeeds},
    {"__kmpc_single", single_model},
    {"__kmpc_end_single", end_single_model},
    {"__kmpc_master", first_model},
    {"__kmpc_end_master", succeeds},
    {"__kmpc_masked", masked_model},
    {"__kmpc_end_masked", succeeds},
    {"__kmpc_critical", succeeds},
    {"__kmpc_critical_with_hint", succeeds},
    {"__kmpc_end_critical", succeeds},
    {"__kmpc_ordered", succeeds},
    {"__kmpc_end_ordered", succeeds},
    {"__kmpc_scope", succeeds},
    {"__kmpc_end_scope", succeeds},
    {"__kmpc_reduce", reduce_model},
    {"__kmpc_end_reduce", barrier_model},
    {"__kmpc_reduce_nowait", reduce_model},
    {"__kmpc_end_reduce_nowait", succeeds},
    {"__kmpc_copyprivate", copy_private_model},
    {"__kmpc_begin", succeeds},
    {"__kmpc_end", succeeds},
};

}  // namespace

Word own_words(const Machine& machine) {
  constexpr Word kOwn = kOpenMp + 4096, kApart = 64;
  const Word level = machine.threads.team != nullptr ? machine.threads.team->level() : 0;
  return kOwn + (level << 24) + kApart * own_number(machine);
}

// Variables that each thread has for itself lie apart, and begin as the first one's did.
Value own_copy(Machine& machine, Value variable) {
  constexpr unsigned kApart = 36;
  if (!variable.known() || own_number(machine) == 0) return variable;
  const Word copy = variable.bits + (Word{own_number(machine)} << kApart), made = copy - 8;
  if (machine.memory.load(made, 8).bits == 0) {
    machine.memory.store(made, 8, Value::of(Word{1}));
    machine.decoder.initialise_copy(variable.bits, copy);
  }
  return {copy, variable.cause, variable.data};
}

std::span<const NamedModel> openmp_models() { return kOpenmpModels; }

}  // namespace trikal::predict
