#pragma once
// The system calls a writer makes, as a table: the runtime fills in the real ones that it does not observe,
// tests fill in ones that fail.

#include <sys/types.h>

#include <cstddef>

namespace trikal::log {

// Each behaves as its namesake: -1 and errno on failure.
struct FileCalls {
  int (*open)(const char* path, int flags, unsigned mode);
  ssize_t (*pwrite)(int descriptor, const void* data, std::size_t size, off_t offset);
  int (*close)(int descriptor);
  int (*rename)(const char* from, const char* to);      // replaces what is there
  int (*rename_new)(const char* from, const char* to);  // fails with EEXIST instead
  int (*unlink)(const char* path);
};

// libc's own, as any program calls them.
[[nodiscard]] const FileCalls& system_calls() noexcept;

}  // namespace trikal::log
