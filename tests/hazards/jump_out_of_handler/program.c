// A handler that never returns: whatever was interrupted, other threads must not wait for it, and what its own thread
// does afterwards is seen, from whatever depth of the stack it does it.
#include "../check.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

static __thread sigjmp_buf back;
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

/* Jumps out of so many handlers of this thread, most of which have interrupted a write. */
static void jump(int times) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  timer_t timer;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  const struct itimerspec often = {{0, 211000}, {0, 211000}}, never = {{0, 0}, {0, 0}};
  static __thread volatile int jumps;
  jumps = 0;
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  if (sigsetjmp(back, 1) != 0) ++jumps;
  if (jumps == 0) CHECK(timer_settime(timer, 0, &often, NULL) == 0);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
  while (jumps < times) CHECK(pwrite(shared_file, "y", 1, 1) == 1);
  pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
  CHECK(timer_settime(timer, 0, &never, NULL) == 0 && timer_delete(timer) == 0);
}

static void __attribute__((noinline)) write_from_below(int fd, int depth) {
  volatile char more[1000];
  more[0] = (char)depth;
  if (depth == 0) write_tens(fd, 10);
  else write_from_below(fd, depth - 1);
  CHECK(more[0] == (char)depth);
}

static void write_hundred(const char* path) {
  const int fd = open_new(path);
  for (int depth = 0; depth < 10; ++depth) write_from_below(fd, depth);
}

static void* in_thread(void* unused) {
  (void)unused;
  jump(300);
  write_hundred("in_thread");
  return NULL;
}

int main(void) {
  shared_file = open_new("shared");
  struct sigaction action = {.sa_handler = handler};
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  pthread_t thread, jumper;
  CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
  jump(300);
  write_hundred("after");
  FILE* stream = fopen("stream", "w");
  CHECK(stream != NULL);
  for (int i = 0; i < 100; ++i) CHECK(fwrite("ten bytes\n", 10, 1, stream) == 1);
  CHECK(fclose(stream) == 0);

  static char memory[64 * 1024];
  const stack_t other_stack = {.ss_sp = memory, .ss_size = sizeof memory};
  action.sa_flags = SA_ONSTACK;
  CHECK(sigaltstack(&other_stack, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
  jump(300);
  write_hundred("after_other_stack");
  action.sa_flags = 0;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);

  CHECK(pthread_create(&jumper, NULL, in_thread, NULL) == 0);
  CHECK(pthread_join(jumper, NULL) == 0);
  stop = 1;
  CHECK(pthread_join(thread, NULL) == 0);
  return 0;
}
