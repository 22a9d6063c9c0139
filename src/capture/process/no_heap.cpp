// The program's heap is not ours: its lock may be held by the very thread that a signal handler ends the process in. zlib
// names malloc and free for those who bring no memory of their own, as we do (log/codec/encoder.cpp). The linker is told
// (--wrap) that those names mean these functions, so the library asks the C library for neither.

#include <cstddef>

extern "C" {

// Named by the linker.
__attribute__((used, visibility("hidden"))) void* __wrap_malloc(std::size_t /*bytes*/) { return nullptr; }
__attribute__((used, visibility("hidden"))) void __wrap_free(void* /*memory*/) {}
}
