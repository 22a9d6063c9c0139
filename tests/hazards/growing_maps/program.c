// The map and the tables by number grow in several threads at once, beyond what they begin with, and again in children
// that are made meanwhile.
#include "../check.h"

#include <pthread.h>
#include <sys/resource.h>

enum { kThreads = 4, kFiles = 5000, kOpen = 1300, kStreams = 300 };

// `kept`: descriptors that stay open, which makes numbers high.
static void use_files(const char* who, int thread, int files, int kept) {
  for (int i = 0; i < files; ++i) {
    char name[48];
    snprintf(name, sizeof name, "%s%d.%d", who, thread, i);
    const int fd = open_new(name);
    write_tens(fd, 1);
    if (i >= kept) CHECK(close(fd) == 0);
    CHECK(unlink(name) == 0);
  }
}

static void* grow(void* number) {
  const int thread = *(int*)number;
  use_files("t", thread, kFiles, kOpen);
  for (int i = 0; i < kStreams; ++i) {
    char name[48];
    snprintf(name, sizeof name, "s%d.%d", thread, i);
    FILE* stream = fopen(name, "w");  // stays open: on a number that no stream had before
    CHECK(stream != NULL && fputs("four", stream) >= 0 && fflush(stream) == 0);
  }
  return NULL;
}

int main(void) {
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max >= 8000);
  limit.rlim_cur = 8000;
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  pthread_t threads[kThreads];
  int numbers[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, grow, &numbers[i]) == 0);
  }
  for (int i = 0; i < 12; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      use_files("c", i, 100, 0);
      _exit(0);
    }
    wait_for(child);
  }
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  const int high = open_new("high");
  CHECK(high >= kThreads * kOpen);
  write_tens(high, 1);
  const pid_t child = fork();
  if (child == 0) {
    write_tens(high, 1);
    use_files("l", 0, 1, 0);
    _exit(0);
  }
  wait_for(child);
  return 0;
}
