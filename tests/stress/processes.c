/* Processes that the stress program starts, stops and leaves, and a thread that jumps out of its handlers. */
#include "stress.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>

extern char** environ;

_Noreturn void end_child(unsigned random) {
  char program[] = "stress", argument[] = "--started";
  char* arguments[] = {program, argument, NULL};
  if (random % 8 == 0) (void)execve("/proc/self/exe", arguments, environ);
  if (random % 8 == 1) (void)kill(getpid(), SIGKILL);
  _exit(0);
}

void spawn_something(void) {
  char program[] = "stress", argument[] = "--started";
  char* arguments[] = {program, argument, NULL};
  pid_t child = 0;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  CHECK(posix_spawnattr_init(&attributes) == 0 && posix_spawnattr_setsigmask(&attributes, &none) == 0);
  CHECK(posix_spawn(&child, "/proc/self/exe", NULL, &attributes, arguments, environ) == 0);
  CHECK(posix_spawnattr_destroy(&attributes) == 0);
  int status = 0;
  while (waitpid(child, &status, 0) != child) CHECK(errno == EINTR);
  CHECK(status == 0);
}

/* Of a program that was started: whatever descriptors it was left with are usable, and it can do its own. */
int use_handed_down(void) {
  char text[16];
  for (int fd = 100; fd < 110; ++fd) (void)!read(fd, text, sizeof text);
  const int fd = open("started", O_CREAT | O_RDWR | O_APPEND, 0600);
  CHECK(fd >= 0 && close(fd) == 0);
  return 0;
}

/* Whoever holds a lock is held up as well, for longer than anybody waits, now and then. */
pid_t begin_stopping(void) {
  const pid_t whole = getpid();
  const pid_t stopper = fork();
  CHECK(stopper >= 0);
  if (stopper != 0) return stopper;
  CHECK(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
  unsigned state = totals->seed + 5;
  while (getppid() == whole) {
    const unsigned random = next_random(&state);
    usleep(200000 + random % 400000);
    (void)kill(whole, SIGSTOP);
    usleep(random % 6 == 0 ? 1300000 : 20000);
    (void)kill(whole, SIGCONT);
  }
  _exit(0);
}

void end_stopping(pid_t stopper) {
  (void)kill(stopper, SIGKILL);
  while (waitpid(stopper, NULL, 0) != stopper) CHECK(errno == EINTR);
}

static pthread_t jumper, shooter;
static volatile int stop_jumping;
static volatile sig_atomic_t may_jump;
static sigjmp_buf back;

static void on_jump(int number) {
  (void)number;
  if (!may_jump) return;
  may_jump = 0;
  siglongjmp(back, 1);
}

/* Nothing but calls that may be left in the middle. */
static void* jump(void* unused) {
  const int fd = open("jumps", O_CREAT | O_RDWR, 0600);
  CHECK(fd >= 0);
  if (sigsetjmp(back, 1) != 0) __atomic_fetch_add(&totals->jumps, 1, __ATOMIC_RELAXED);
  may_jump = 1;
  while (!stop_jumping) {
    char text[16];
    count_write(pwrite(fd, "ten bytes\n", 10, 0));
    (void)!pread(fd, text, sizeof text, 0);
  }
  may_jump = 0;
  return unused;
}

static void* shoot(void* unused) {
  while (!stop_jumping) {
    usleep(900);
    if (may_jump) (void)pthread_kill(jumper, SIGUSR2);
  }
  return unused;
}

void begin_jumps(void) {
  struct sigaction action = {.sa_handler = on_jump};
  sigemptyset(&action.sa_mask);
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
  CHECK(pthread_create(&jumper, NULL, jump, NULL) == 0 && pthread_create(&shooter, NULL, shoot, NULL) == 0);
}

/* The one who is shot at stays until nobody shoots. */
void end_jumps(void) {
  stop_jumping = 1;
  CHECK(pthread_join(shooter, NULL) == 0 && pthread_join(jumper, NULL) == 0);
}
