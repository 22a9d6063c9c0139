#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

static long writes;

ssize_t write(int fd, const void* data, size_t size) {
  static ssize_t (*next)(int, const void*, size_t);
  if (next == NULL) next = (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  ++writes;
  return next(fd, data, size);
}

long writes_seen(void) { return writes; }
