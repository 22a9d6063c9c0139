// Twenty-four children, each ended by a timer in the middle of what takes a lock inside the C library. A process that
// asks for the same lock on its way out waits for itself, for ever.
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

enum { kChildren = 24 };

static void leave(int signal) {
  (void)signal;
  _exit(3);
}

static void* use_heap(void* unused) {
  for (;;) {
    void* volatile small = malloc(5000);
    void* volatile large = malloc(70000);
    free(small);
    free(large);
  }
  return unused;
}

static void use_time_zone(void) {
  struct tm local;
  for (time_t when = 1;; when += 86400) localtime_r(&when, &local);
}

static void child(int number) {
  char name[16];
  snprintf(name, sizeof name, "data%d", number);
  write_tens(open_new(name), 1);
  CHECK(signal(SIGALRM, leave) != SIG_ERR);
  pthread_t other;
  if (number % 2 == 0) CHECK(pthread_create(&other, NULL, use_heap, NULL) == 0);
  const struct itimerval once = {{0, 0}, {0, 2000 + 311 * number}};
  CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
  if (number % 2 == 0) use_heap(NULL);
  use_time_zone();
}

int main(void) {
  for (int i = 0; i < kChildren; ++i) {
    const pid_t pid = fork();
    if (pid == 0) child(i);
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3);
  }
  return 0;
}
