#pragma once
// Functions of optional libraries (MPI, HDF5) are not intercepted by exporting their names: a program that asks whether MPI
// is there must not find us. Instead the entries through which loaded objects call them are pointed at our wrappers, at
// start and after more objects were loaded, and only where the library really is in the process.

#include <atomic>
#include <span>

namespace trikal::capture {

struct Import {
  const char* name;
  void* wrapper;
  std::atomic<void*>* real;  // where the wrapper finds the function itself; set before any call can reach the wrapper
};

// What is done with each of some functions.
struct ImportUse {
  void (*use)(const Import& import, void* with) noexcept;
  void* with;
};

// Functions, told one by one. They are in no table: the dynamic linker would write its addresses into every process that starts,
// of which few use the library.
using ImportGroup = void (*)(const ImportUse& use) noexcept;

template <ImportGroup... Groups>
void tell_imports(const ImportUse& use) noexcept {
  (Groups(use), ...);
}

// One library's, which a module has in its imports.hpp. All names begin with `prefix` or with 'P' and `prefix`.
struct ImportList {
  const char* witness;  // a function that tells whether the library is there
  const char* prefix;
  std::span<const ImportGroup> groups;
  bool (*found)() noexcept;  // called once, before the first entry is changed; false: leave the library alone
  // Copies of the library may be loaded side by side, each for objects of its own (packages of Python bring theirs). Then
  // only entries are changed that the loader has filled with the function that we know.
  bool has_copies = false;
  // The library's Fortran functions lie in it, too, and call those of C: its own entries are changed as well.
  bool calls_itself = false;
};

// Made from modules/list.txt.
[[nodiscard]] std::span<const ImportList> import_lists() noexcept;

void redirect_imports() noexcept;
// In a forked child: nobody is at it.
void free_imports() noexcept;
// Objects came or went. records/call_sites.cpp has kept what lies where.
void note_objects_changed() noexcept;
// What dlopen's wrapper jumps to; until then it calls, and a library that dlopen looks for beside its caller is missed.
void find_dlopen() noexcept;

// Set by the wrapper of dlopen, which cannot wait for the end of the call: the loader wants to know who called it.
enum ObjectsLoaded : unsigned char { kNoneLoaded = 0, kSomeLoaded = 1, kLookAgain = 2 };
extern "C" __attribute__((visibility("hidden"))) constinit unsigned char trikal_objects_loaded;

// Under the guard, with a call that a freshly loaded library is likely to make early.
[[gnu::always_inline]] inline void redirect_new_imports() noexcept {
  if (__atomic_load_n(&trikal_objects_loaded, __ATOMIC_RELAXED) != kNoneLoaded) [[unlikely]]
    redirect_imports();
}

}  // namespace trikal::capture
