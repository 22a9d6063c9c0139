// Numbers above 1024, and numbers that stand for one file after the other.
#include "../check.h"

#include <sys/resource.h>

int main(void) {
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = limit.rlim_max < 5000 ? limit.rlim_max : 5000;
  CHECK(limit.rlim_cur >= 3000 && setrlimit(RLIMIT_NOFILE, &limit) == 0);
  const int first = open_new("first");
  for (int i = 0; i < 2000; ++i) CHECK(dup(first) >= 0);
  const int high = open_new("high");
  CHECK(high > 1500);
  write_tens(high, 7);
  CHECK(dup2(high, 2900) == 2900 && close(high) == 0);
  write_tens(2900, 1);
  for (int i = 0; i < 100; ++i) {
    char name[16];
    snprintf(name, sizeof name, "reused%d", i % 10);
    const int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
    CHECK(fd == high);
    write_tens(fd, 1);
    CHECK(close(fd) == 0);
  }
  CHECK(write(high, "x", 1) == -1 && errno == EBADF);
  write_tens(first, 1);
  return 0;
}
