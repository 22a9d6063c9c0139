#pragma once
// What models of libc's functions share: where libc keeps what is its own, and results that follow from arguments.

#include <optional>
#include <string>
#include <string_view>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// Variables and buffers that libc has for itself lie in the program's memory, so that they are copied and taken back
// with it where both sides of a branch are tried.
inline constexpr Word kLibc = (Word{1} << 47) + (Word{1} << 20);
inline constexpr Word kCalendar = kLibc;               // the struct tm of localtime and gmtime
inline constexpr Word kCalendarText = kLibc + 64;      // of asctime and ctime
inline constexpr Word kEnvironment = kLibc + 128;  // where environ points to, unless the program has that variable
inline constexpr Word kPerson = kLibc + 256;  // struct passwd
inline constexpr Word kGroup = kLibc + 320;  // struct group
inline constexpr Word kConventions = kLibc + 512;  // struct lconv
inline constexpr Word kHashTable = kLibc + 768;  // of hcreate
inline constexpr Word kKeys = kLibc + 4096;  // of threads: values by number
inline constexpr Word kTexts = (Word{1} << 47) + (Word{1} << 28);

// A text that stays where it is for good, and is there once: messages, names.
[[nodiscard]] Word lasting_text(Machine& machine, std::string_view text);

// What a call gives follows from this in a way that has no pattern: iterations of a loop in which it changes are all run.
inline void without_pattern(Machine& machine, const Call& call, Word of) { machine.wrote_text(call, of, 0); }
[[nodiscard]] Word digest(std::string_view text);
// The next bytes of a file are known, and so are all others: however alike the last ones were, these may differ.
void reads_on(Machine& machine, const Call& call, const File& file, Word location);

// The first argument that is not known, or one that is.
[[nodiscard]] inline Value first_unknown(const Call& call, std::size_t arguments) {
  for (std::size_t i = 0; i < arguments; ++i)
    if (!call.argument(i).known()) return call.argument(i);
  return {};
}
// Returns a number that follows from the arguments, and moves as they do.
void follows(Machine& machine, Call& call, Word bits);

// The value of a variable of the program's environment as it is now; nothing: there is none.
[[nodiscard]] std::optional<std::string> variable_of(Machine& machine, const Call& call, std::string_view name);
// The table behind environ, made when it is asked for first.
[[nodiscard]] Word environment_table(Machine& machine);

// The program ends there, and that does not go unsaid.
[[noreturn]] void end_program(Machine& machine, const Call& call, int code, bool with_exits);

// The length of what is printed of a number by the clock that is not known; see calendar.cpp.
[[nodiscard]] bool is_clock(const Machine& machine, Value value);

// Variables of libc that programs use; false: it is none of them.
bool libc_external(Machine& machine, std::string_view name, Word address);

}  // namespace trikal::predict
