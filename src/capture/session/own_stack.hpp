#pragma once
// A stack of our own. The application's may be small: a thread's of 16 KiB, or the one that its signal handlers run on
// (8 KiB are usual). A log cannot be written in what is left of that, and a page behind its end kills the program.
//
// Signals wait meanwhile: their handlers would find a stack that is not the one they know. What the program does wrong
// itself is still told at once, and so is what we do (SIGSEGV and its kind), and a file that grows too long (SIGXFSZ) is
// held back by whoever writes one.

#include <cstddef>

namespace trikal::capture {

// Runs work(argument) there. There is one, for one thread at a time: a session starts once, ends once, makes its map once,
// and a forked child is alone when it begins again. Waits for a thread that makes the map.
void run_on_own_stack(void (*work)(void*), void* argument) noexcept;
// False: another thread has it (the session ends), and nothing was done.
[[nodiscard]] bool try_on_own_stack(void (*work)(void*), void* argument) noexcept;
// In a forked child: whoever had it is not there.
void free_own_stack() noexcept;

template <class Work>
void on_own_stack(const Work& work) noexcept {
  run_on_own_stack([](void* it) { (*static_cast<const Work*>(it))(); }, const_cast<Work*>(&work));
}

}  // namespace trikal::capture
