// OpenMP: the functions of omp.h and omp_lib.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include "predict/models/list.hpp"
#include "predict/models/openmp.hpp"

namespace trikal::predict {
namespace {

// Of the program's environment, else of ours: it would inherit that.
std::string variable(const Machine& machine, const std::string& name) {
  for (const std::string& one : machine.setting.environment)
    if (one.starts_with(name + "=")) return one.substr(name.size() + 1);
  const char* told = std::getenv(name.c_str());
  return told != nullptr ? told : "";
}

// The number in a list that belongs to this level of regions; 0: none.
std::uint32_t number_at(const std::string& list, unsigned level) {
  std::size_t at = 0;
  for (; level > 0 && list.find(',', at) != std::string::npos; --level) at = list.find(',', at) + 1;
  at = std::min(list.size(), list.find_first_not_of(" \t", at));
  std::uint32_t value = 0;
  std::from_chars(list.data() + at, list.data() + list.size(), value);
  return value;
}

Word set_by_program(const Machine& machine, Word address) {
  const Value value = machine.memory.load(address, 8);
  return value.known() ? value.bits : 0;
}

template <Word kAddress>
void set_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return machine.note("how many threads parallel regions have is not known");
  machine.put(call, kAddress, 8, Value::of(lowest(call.argument(0).bits, 32)));
}

void own_number_model(Machine& machine, Call& call) {
  if (machine.threads.team != nullptr) machine.threads.team->number_asked = true, tell_chance(machine);
  call.returns(Value::of(Word{own_number(machine)}));
}
void team_size_model(Machine& machine, Call& call) { call.returns(Value::of(Word{team_size(machine)})); }
void most_threads_model(Machine& machine, Call& call) { call.returns(Value::of(Word{default_threads(machine)})); }
void processors_model(Machine& machine, Call& call) { call.returns(Value::of(Word{processors(machine)})); }
void in_parallel_model(Machine& machine, Call& call) {
  call.returns(Value::of(Word{machine.threads.team != nullptr && machine.threads.team->active_level() > 0}));
}
void level_model(Machine& machine, Call& call) {
  call.returns(Value::of(Word{machine.threads.team != nullptr ? machine.threads.team->level() : 0}));
}
void active_level_model(Machine& machine, Call& call) {
  call.returns(Value::of(Word{machine.threads.team != nullptr ? machine.threads.team->active_level() : 0}));
}
// Of the team at a level: 0 is the program before any region.
template <bool kSize>
void at_level_model(Machine& machine, Call& call) {
  const Team* team = machine.threads.team;
  const Value level = call.argument(0);
  if (!level.known()) return call.returns(level);
  if (level.bits == 0) return call.returns(Value::of(Word{kSize ? 1U : 0U}));
  while (team != nullptr && team->level() > level.bits) team = team->around();
  const bool there = team != nullptr && team->level() == level.bits;
  call.returns(there ? Value::of(Word{kSize ? team->size() : team->number()}) : Value::of(lowest(~Word{0}, 32)));
}
void levels_model(Machine& machine, Call& call) { call.returns(Value::of(Word{most_active_levels(machine)})); }
void set_nested_model(Machine& machine, Call& call) {
  constexpr Word kAny = 0x7fffffff;
  if (call.argument(0).known())
    machine.put(call, kLevelsSet, 8, Value::of(call.argument(0).bits != 0 ? kAny : Word{1}));
}
void nested_model(Machine& machine, Call& call) { call.returns(Value::of(Word{most_active_levels(machine) > 1})); }
void limit_model(Machine&, Call& call) { call.returns(Value::of(Word{0x7fffffff})); }

void seconds_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  call.returns(Value::of(static_cast<double>(machine.world.ticks += 1000) * 1e-9));
}
void tick_model(Machine&, Call& call) { call.returns(Value::of(1e-9)); }
void one_model(Machine&, Call& call) { call.returns(Value::of(Word{1})); }

constexpr NamedModel kOpenmpFunctionsModels[] = {
    {"omp_get_thread_num", own_number_model},
    {"omp_get_num_threads", team_size_model},
    {"omp_get_max_threads", most_threads_model},
    {"omp_get_num_procs", processors_model},
    {"omp_set_num_threads", set_model<kThreadsSet>},
    {"omp_in_parallel", in_parallel_model},
    {"omp_get_level", level_model},
    {"omp_get_active_level", active_level_model},
    {"omp_get_ancestor_thread_num", at_level_model<false>},
    {"omp_get_team_size", at_level_model<true>},
    {"omp_set_max_active_levels", set_model<kLevelsSet>},
    {"omp_get_max_active_levels", levels_model},
    {"omp_set_nested", set_nested_model},
    {"omp_get_nested", nested_model},
    {"omp_set_dynamic", succeeds},
    {"omp_get_dynamic", succeeds},
    {"omp_set_schedule", succeeds},
    {"omp_get_thread_limit", limit_model},
    {"omp_get_cancellation", succeeds},
    {"omp_in_final", succeeds},
    {"omp_get_num_teams", one_model},
    {"omp_get_team_num", succeeds},
    {"omp_get_num_devices", succeeds},
    {"omp_get_default_device", succeeds},
    {"omp_set_default_device", succeeds},
    {"omp_get_initial_device", succeeds},
    {"omp_is_initial_device", one_model},
    {"omp_get_wtime", seconds_model},
    {"omp_get_wtick", tick_model},
    {"omp_init_lock", succeeds},
    {"omp_destroy_lock", succeeds},
    {"omp_set_lock", succeeds},
    {"omp_unset_lock", succeeds},
    {"omp_test_lock", one_model},
    {"omp_init_nest_lock", succeeds},
    {"omp_destroy_nest_lock", succeeds},
    {"omp_set_nest_lock", succeeds},
    {"omp_unset_nest_lock", succeeds},
    {"omp_test_nest_lock", one_model},
};

}  // namespace

std::uint32_t processors(Machine&) {
  return std::max(1U, std::thread::hardware_concurrency());  // those that this process may use
}

std::uint32_t threads_followed(Machine& machine, Word wanted) {
  constexpr Word kMost = 2000;  // stacks and variables of more would lie on each other
  if (wanted > kMost) {
    machine.note("of " + std::to_string(wanted) + " threads " + std::to_string(kMost) + " are followed");
    machine.complete = false;
  }
  return static_cast<std::uint32_t>(std::min(wanted, kMost));
}

std::uint32_t default_threads(Machine& machine) {
  if (const Word told = set_by_program(machine, kThreadsSet); told != 0) return threads_followed(machine, told);
  const unsigned level = machine.threads.team != nullptr ? machine.threads.team->level() : 0;
  const std::uint32_t told = number_at(variable(machine, "OMP_NUM_THREADS"), level);
  if (told != 0) return threads_followed(machine, told);
  const std::uint32_t count = processors(machine);
  machine.note("OMP_NUM_THREADS is not set: " + std::to_string(count) + (count == 1 ? " thread" : " threads") +
               ", as this machine has processors");
  return count;
}

unsigned most_active_levels(Machine& machine) {
  constexpr unsigned kAny = 0x7fffffff;
  if (const Word told = set_by_program(machine, kLevelsSet); told != 0) return static_cast<unsigned>(told);
  if (const std::uint32_t told = number_at(variable(machine, "OMP_MAX_ACTIVE_LEVELS"), 0); told != 0) return told;
  const std::string nested = variable(machine, "OMP_NESTED");
  const bool listed = variable(machine, "OMP_NUM_THREADS").find(',') != std::string::npos;
  return listed || nested == "true" || nested == "TRUE" || nested == "1" ? kAny : 1;
}

void tell_chance(Machine& machine) {
  if (machine.threads.team == nullptr || machine.threads.team->size() == 1 || !machine.threads.team->number_asked)
    return;
  if (machine.threads.team->anyone > 0)
    machine.note(
        "which thread does a single or a task is chance: what is done there by its number may be another's in a run");
  if (!machine.threads.team->by_chance) return;
  machine.note(
      "which thread does which iterations of a loop is chance (schedule dynamic, guided or runtime): what is done by "
      "the number of a thread may be another's in a run");
}

std::span<const NamedModel> openmp_function_models() { return kOpenmpFunctionsModels; }

}  // namespace trikal::predict
