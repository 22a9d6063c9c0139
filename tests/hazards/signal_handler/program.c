// A timer lands on any instruction, ours too; its handler does I/O on a small stack of its own.
#include "../check.h"

#include <signal.h>
#include <sys/time.h>

static int handlers_file, handled;

static void handler(int signal) {
  (void)signal;
  const int saved = errno;
  CHECK(write(handlers_file, "1", 1) == 1);
  if (++handled % 8 == 0) {
    const int fd = open("./opened", O_CREAT | O_WRONLY | O_APPEND, 0600);
    CHECK(fd >= 0 && write(fd, "2", 1) == 1 && close(fd) == 0);
  }
  errno = saved;
}

int main(void) {
  static char stack[16384];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  CHECK(sigaltstack(&other, NULL) == 0);
  handlers_file = open_new("handlers");
  const int mains = open_new("mains");
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  const struct itimerval often = {{0, 53}, {0, 53}};
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
  for (int i = 0; i < 200000; ++i) CHECK(pwrite(mains, "x", 1, i % 100) == 1);
  const struct itimerval never = {{0, 0}, {0, 0}};
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  FILE* out = fopen("truth", "w");
  CHECK(out != NULL && fprintf(out, "POSIX_WRITES %d\n", 200000 + handled + handled / 8) > 0 && fclose(out) == 0);
  return 0;
}
