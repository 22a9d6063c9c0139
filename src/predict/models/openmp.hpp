#pragma once
// What models of OpenMP share. Programs are compiled as clang does it, with calls of its runtime; they are run with gcc's,
// and what is shared out evenly both share out alike.

#include <cstdint>

#include "predict/machine/team.hpp"

namespace trikal::predict {

// Variables of the runtime, in memory, so that loops see them change.
inline constexpr Word kOpenMp = (Word{1} << 47) + (Word{1} << 32);
inline constexpr Word kThreadsSet = kOpenMp, kLevelsSet = kOpenMp + 8;  // by omp_set_..., 0: not

[[nodiscard]] std::uint32_t processors(Machine& machine);
// As many as are wanted, but not more than can be; a note says so.
[[nodiscard]] std::uint32_t threads_followed(Machine& machine, Word wanted);
// Of the next parallel region, where nothing else is asked for.
[[nodiscard]] std::uint32_t default_threads(Machine& machine);
[[nodiscard]] unsigned most_active_levels(Machine& machine);
[[nodiscard]] inline std::uint32_t own_number(const Machine& machine) {
  return machine.threads.team != nullptr ? machine.threads.team->number() : 0;
}
[[nodiscard]] inline std::uint32_t team_size(const Machine& machine) {
  return machine.threads.team != nullptr ? machine.threads.team->size() : 1;
}
// A word of each thread's own: of loops that are shared out in pieces.
[[nodiscard]] Word own_words(const Machine& machine);
// The program asked who runs while who does what is chance, or the other way round.
void tell_chance(Machine& machine);

}  // namespace trikal::predict
