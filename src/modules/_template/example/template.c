#include "template.h"

#include <fcntl.h>
#include <unistd.h>

/* Handles are descriptors counted from 1. */
int64_t template_open(const char* path, int create) {
  const int descriptor = open(path, create ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0644);
  return descriptor < 0 ? -1 : descriptor + 1;
}

int64_t template_read(int64_t handle, void* data, size_t bytes) { return read((int)handle - 1, data, bytes); }

int64_t template_write(int64_t handle, const void* data, size_t bytes) { return write((int)handle - 1, data, bytes); }

int template_close(int64_t handle) { return close((int)handle - 1); }
