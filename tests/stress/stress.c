/* Threads, forks, signals and closes at once, for a while: stress SECONDS SEED [exit] [calm].
 *
 * Descriptors that several threads use lie above kLowest: nobody else's number is ever hit by a call on one that was closed
 * meanwhile. Whoever takes a number out of its slot closes it, alone; others may be in the middle of a call on it.
 *
 * Every write of the POSIX kind has ten bytes. How many there were, in all processes, is printed at the end; with "exit"
 * the process ends while its threads are busy, and nothing is. "calm" leaves out what the thread sanitizer cannot follow. */
#include "stress.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

enum { kWorkers = 5, kSlots = 24, kLowest = 100 };

struct Totals* totals;
static int slots[kSlots];
static pthread_t workers[kWorkers];
static int stop;
static int calm;
static int is_child; /* fork copies descriptors first, then memory: a slot may have one that came in between */

static int take_slot(unsigned at) { return __atomic_exchange_n(&slots[at], -1, __ATOMIC_ACQ_REL); }
static int look_at_slot(unsigned at) { return __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE); }
static void put_in_slot(unsigned at, int fd) {
  const int before = __atomic_exchange_n(&slots[at], fd, __ATOMIC_ACQ_REL);
  if (before >= 0) CHECK(close(before) == 0 || (is_child && errno == EBADF));
}

static int open_high(unsigned random) {
  char path[16];
  snprintf(path, sizeof path, "f%u", random / 8 % 12);
  const int fd =
      random % 2 != 0 ? open(path, O_CREAT | O_RDWR, 0600) : openat(AT_FDCWD, path, O_CREAT | O_RDWR | O_APPEND, 0600);
  CHECK(fd >= 0);
  const int high = fcntl(fd, random % 4 < 2 ? F_DUPFD : F_DUPFD_CLOEXEC, kLowest);
  CHECK(high >= kLowest && close(fd) == 0);
  return high;
}

/* A descriptor that may be closed, or be another file's, at any moment. */
static void use(int fd, unsigned random) {
  char text[64];
  struct stat about;
  switch (random % 10) {
    case 0: count_write(write(fd, "ten bytes\n", 10)); break;
    case 1: count_write(pwrite(fd, "ten bytes\n", 10, random % 4096)); break;
    case 2: count_write(write_in_parts(fd)); break;
    case 3: (void)!read(fd, text, sizeof text); break;
    case 4: (void)!pread(fd, text, sizeof text, random % 4096); break;
    case 5: (void)lseek(fd, random % 4096, SEEK_SET); break;
    case 6: (void)fstat(fd, &about); break;
    case 7: (void)!ftruncate(fd, 8192); break;
    case 8: (void)fcntl(fd, F_GETFL); break;
    default: map_and_unmap(fd); break;
  }
}

/* The number stays taken, so that nobody else is given it in between. */
static void replace_open_descriptor(unsigned at, unsigned random) {
  const int fd = take_slot(at);
  if (fd < 0) return;
  const int other = open_high(random);
  CHECK((random % 2 != 0 ? dup2(other, fd) : dup3(other, fd, O_CLOEXEC)) == fd && close(other) == 0);
  put_in_slot(at, fd);
}

static void work_once(unsigned random, unsigned which) {
  const unsigned at = random / 64 % kSlots;
  const int fd = look_at_slot(at);
  switch (random / 8192 % 16) {
    case 0: put_in_slot(at, open_high(random)); break;
    case 1: put_in_slot(at, -1); break;
    case 2: replace_open_descriptor(at, random); break;
    case 3: use_stream(random, which); break;
    case 4: use_shared_stream(random); break;
    case 5: use_names(random, which); break;
    case 6: close_a_range(which); break;
    default:
      if (fd >= 0) use(fd, random);
  }
}

static void* work(void* number) {
  const unsigned which = (unsigned)(size_t)number;
  unsigned state = totals->seed * 2654435761U + which * 977U + 1;
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    const unsigned random = next_random(&state);
    work_once(random, which);
    if (random % 4096 == 0) spawn_something();
  }
  return NULL;
}

/* Lives for a moment, and is sometimes ended in the middle of a call. */
static void* live_briefly(void* unused) {
  unsigned state = (unsigned)time(NULL);
  for (int i = 0; i < 50; ++i) {
    const unsigned random = next_random(&state);
    const int fd = look_at_slot(random / 16 % kSlots);
    if (fd >= 0) (void)lseek(fd, 0, SEEK_CUR);
  }
  return unused;
}

static void on_signal(int number) {
  const int saved = errno;
  const int fd = open("handler", O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (fd >= 0) {
    count_write(write(fd, "ten bytes\n", 10));
    CHECK(close(fd) == 0);
  }
  const int shared = look_at_slot((unsigned)number % kSlots);
  if (shared >= 0) count_write(pwrite(shared, "ten bytes\n", 10, 0));
  errno = saved;
}

static void on_alarm(int number) {
  const int saved = errno;
  (void)number;
  if (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
    (void)pthread_kill(workers[__atomic_fetch_add(&totals->signals, 1, __ATOMIC_RELAXED) % kWorkers], SIGUSR1);
  errno = saved;
}

static void begin_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_handler = on_alarm;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  const struct itimerval often = {{0, 1700}, {0, 1700}};
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
}

static void end_signals(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

/* What the threads of the parent were at is not there any more: whatever the child does must not wait for it. */
static void do_childs_work(unsigned random) {
  unsigned state = random;
  is_child = 1;
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned next = next_random(&state);
    const int fd = look_at_slot(next / 64 % kSlots);
    if (next % 5 == 0) put_in_slot(next / 64 % kSlots, open_high(next));
    else if (fd >= 0) use(fd, next);
  }
  ask_for_the_first_time(random);
}

static _Noreturn void be_child(unsigned random) {
  do_childs_work(random);
  const pid_t grandchild = random % 8 == 0 ? fork() : -1;
  if (grandchild == 0) do_childs_work(random / 3);
  if (grandchild > 0) (void)waitpid(grandchild, NULL, 0);
  end_child(random / 16);
}

static void fork_once(unsigned random) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) be_child(random);
  int status = 0;
  while (waitpid(child, &status, 0) != child) CHECK(errno == EINTR);
  CHECK(WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void run_for(unsigned seconds) {
  const time_t end = time(NULL) + seconds;
  unsigned state = totals->seed + 17;
  while (time(NULL) < end) {
    const unsigned random = next_random(&state);
    fork_once(random);
    pthread_t brief;
    CHECK(pthread_create(&brief, NULL, live_briefly, NULL) == 0);
    if (random % 8 == 0) (void)pthread_cancel(brief);
    CHECK(pthread_join(brief, NULL) == 0);
  }
}

int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "--started") == 0) return use_handed_down();
  if (count < 3) return 2;
  totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(totals != MAP_FAILED);
  totals->seed = (unsigned)atoi(arguments[2]);
  totals->program = arguments[0];
  const int exits = count > 3 && strcmp(arguments[3], "exit") == 0;
  calm = count > 3 && strcmp(arguments[count - 1], "calm") == 0;
  for (unsigned i = 0; i < kSlots; ++i) slots[i] = open_high(i * 8);
  const pid_t stopper = calm ? 0 : begin_stopping();
  for (size_t i = 0; i < kWorkers; ++i) CHECK(pthread_create(&workers[i], NULL, work, (void*)i) == 0);
  begin_signals();
  if (!calm) begin_jumps();
  run_for((unsigned)atoi(arguments[1]));
  end_signals();
  if (!calm) end_jumps(), end_stopping(stopper);
  if (exits) exit(0);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kWorkers; ++i) CHECK(pthread_join(workers[i], NULL) == 0);
  printf("writes %llu jumps %llu\n", totals->writes, totals->jumps);
  return 0;
}
