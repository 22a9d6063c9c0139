#pragma once
// Programs that an observed process starts and that preloading cannot reach. They are named in the log, so that
// nobody takes silence for an absence of I/O. Costs a look at the program's first bytes, once an exec.

#include "base/program_kind.hpp"

namespace trikal::capture {

// Before the real call, also in a vfork child. `environment`: what of the new program's environment keeps us out. Each
// answers whether the program will be observed.
bool note_if_unseen(int directory, const char* path, Unseen environment) noexcept;
// For those that search PATH, and those that have it open.
bool note_if_unseen_in_path(const char* file, Unseen environment) noexcept;
bool note_if_unseen(int descriptor, Unseen environment) noexcept;
// Before libc starts the shell with the environment as it is.
void note_if_shell_is_unseen() noexcept;

// Of this program itself: what of it cannot be observed. An empty path stands for the program.
void note_unseen_part(Unseen why, const char* path) noexcept;
// A ring of io_uring was made; under the guard. The same if the descriptor is one, without the guard.
void note_ring() noexcept;
void note_if_ring(int descriptor) noexcept;

// In a forked child: its map is a new one.
void forget_unseen() noexcept;

}  // namespace trikal::capture
