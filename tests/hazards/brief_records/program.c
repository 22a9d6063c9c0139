// Files that are only opened have a brief record until their data is touched. Here many threads open, ask about and write
// the same files at once, so that records grow while others count in them; and one is opened before a fork and closed
// behind it.
#include "../check.h"

#include <pthread.h>
#include <sys/stat.h>

enum { kThreads = 4, kFiles = 300 };
static pthread_barrier_t all;

static void* use_files(void* argument) {
  (void)argument;
  struct stat status;
  for (int file = 0; file < kFiles; ++file) {
    char name[32];
    snprintf(name, sizeof name, "file%d", file);
    pthread_barrier_wait(&all);
    CHECK(close(open(name, O_CREAT | O_RDWR, 0600)) == 0);
    CHECK(stat(name, &status) == 0);
    const int fd = open(name, O_RDWR);
    CHECK(fd >= 0 && pwrite(fd, "ten bytes\n", 10, 0) == 10 && close(fd) == 0);
    CHECK(stat(name, &status) == 0);
  }
  return NULL;
}

int main(void) {
  const int before = open_new("over_fork");
  CHECK(close(open_new("only_opened")) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  wait_for(child);
  CHECK(close(before) == 0);
  CHECK(pthread_barrier_init(&all, NULL, kThreads) == 0);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_create(&threads[i], NULL, use_files, NULL) == 0);
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  return 0;
}
