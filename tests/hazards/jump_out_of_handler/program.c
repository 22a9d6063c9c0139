// A handler that never returns: whatever was interrupted, other threads must not wait for it.
#include "../check.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static sigjmp_buf back;
static int shared_file;
static volatile int stop;

static void handler(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void* other_thread(void* unused) {
  (void)unused;
  while (!stop) CHECK(pwrite(shared_file, "x", 1, 0) == 1);
  return NULL;
}

int main(void) {
  shared_file = open_new("shared");
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_t thread;
  pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
  CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
  CHECK(signal(SIGALRM, handler) != SIG_ERR);
  const struct itimerval often = {{0, 211}, {0, 211}}, never = {{0, 0}, {0, 0}};
  static volatile int jumps = 0;
  if (sigsetjmp(back, 1) != 0) ++jumps;
  if (jumps == 0) CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
  while (jumps < 300) CHECK(pwrite(shared_file, "y", 1, 1) == 1);
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  stop = 1;
  CHECK(pthread_join(thread, NULL) == 0);
  return 0;
}
