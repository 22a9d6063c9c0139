// Opens and writes `argv[1]` files, then lets no file grow beyond `argv[2]` bytes, and ends with 3.
#include "../check.h"

#include <sys/resource.h>

int main(int argc, char** argv) {
  const int files = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < files; ++i) {
    char name[32];
    snprintf(name, sizeof name, "file%d", i);
    const int fd = open_new(name);
    write_tens(fd, 1);
    CHECK(close(fd) == 0);
  }
  if (argc > 2) {
    const struct rlimit limit = {(rlim_t)atol(argv[2]), (rlim_t)atol(argv[2])};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  return 3;
}
