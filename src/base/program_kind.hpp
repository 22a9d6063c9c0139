#pragma once
// What kind of program a file is, as far as preloading goes. Looks at the first bytes only and does not allocate:
// the runtime asks before an exec, `trikal doctor` and `trikal run` ask for the user.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace trikal {

// Why a program cannot be observed by preloading.
enum class Unseen : std::uint32_t {
  kNothing,      // it can
  kStatic,       // no dynamic linker takes part
  kGo,           // Go makes system calls past libc
  kMusl,         // another C library: ours does nothing there
  kOtherKind,    // 32-bit, or for another processor
  kPrivileged,   // setuid, setgid: the dynamic linker ignores LD_PRELOAD
  kEnvironment,  // started without LD_PRELOAD in its environment
  kUnreachable,  // our library cannot be seen from there: chroot, other mounts
  kHidden,       // nor can the directories that its map could be in
  // Of a program that is observed, what is not:
  kNoSpace,    // the process itself: there was no space for its map
  kIoUring,    // what goes through a ring
  kDeepBind,   // calls of a library that looks past preloaded ones
  kNamespace,  // calls of a library that was loaded with a libc of its own
  kExcluded,   // files below a directory that is not watched unless asked for
  kLinkedIn,   // calls of HDF5, which is part of the program
};
inline constexpr std::size_t kUnseenKinds = 15;

// Whether it is a whole program that was not seen. By the word that logs have.
[[nodiscard]] bool is_unseen_program(std::string_view word) noexcept;

// A word for tables, and a clause for people.
[[nodiscard]] std::string_view unseen_word(Unseen why) noexcept;
[[nodiscard]] std::string_view unseen_text(Unseen why) noexcept;

struct ProgramKind {
  Unseen why = Unseen::kNothing;
  std::string_view interpreter;  // of a script: the program that really runs
};

inline constexpr std::size_t kProgramHead = 4096;

// `head`: the first bytes of the file, kProgramHead of them where there are so many.
[[nodiscard]] ProgramKind look_at_program(std::span<const std::byte> head) noexcept;

}  // namespace trikal
