/* The library of docs/adding-a-module.md: a tape is a file. It calls a function of its own through the linker's table, as
 * libraries do: what is called inside of a call is not another call of the program's. */
#include "tape.h"

#include <fcntl.h>
#include <unistd.h>

int64_t tape_load(const char* path, int blank) {
  const int descriptor = open(path, blank ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0644);
  if (descriptor < 0) return -1;
  tape_rewind(descriptor + 1);
  return descriptor + 1;
}

int64_t tape_fetch(int64_t handle, void* data, size_t bytes) { return read((int)handle - 1, data, bytes); }

int64_t tape_store(int64_t handle, const void* data, size_t bytes) { return write((int)handle - 1, data, bytes); }

int tape_rewind(int64_t handle) { return lseek((int)handle - 1, 0, SEEK_SET) == 0 ? 0 : -1; }

int tape_unload(int64_t handle) { return close((int)handle - 1); }
