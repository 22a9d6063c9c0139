// RLIMIT_FSIZE: going past it brings SIGXFSZ, which ends a program. Only the program itself may go past it.
#include "../check.h"

#include <signal.h>
#include <sys/resource.h>

int main(void) {
  const struct rlimit limit = {20000, 20000};
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  for (int i = 0; i < 3000; ++i) {
    char name[32];
    snprintf(name, sizeof name, "file%d", i);
    const int fd = open_new(name);
    write_tens(fd, 1);
    CHECK(close(fd) == 0);
  }
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  const int fd = open_new("large");
  char block[4096] = {0};
  for (int i = 0; i < 4; ++i) CHECK(write(fd, block, sizeof block) == sizeof block);
  CHECK(write(fd, block, sizeof block) == 20000 - 4 * 4096);
  CHECK(write(fd, block, sizeof block) == -1 && errno == EFBIG);
  CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
  return 0;
}
