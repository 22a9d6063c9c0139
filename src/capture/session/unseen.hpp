#pragma once
// Programs that an observed process starts and that preloading cannot reach. They are named in the log, so that
// nobody takes silence for an absence of I/O. Costs a look at the program's first bytes, once an exec.

namespace trikal::capture {

// Before the real call, also in a vfork child. `envp` is the new program's environment.
void note_if_unseen(int directory, const char* path, char* const* envp) noexcept;
// For those that search PATH.
void note_if_unseen_in_path(const char* file, char* const* envp) noexcept;

// In a forked child: its map is a new one.
void forget_unseen() noexcept;

}  // namespace trikal::capture
