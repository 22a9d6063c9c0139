// A process with busy threads forks: in the child nobody is left to free what they held.
#include "../check.h"

#include <pthread.h>

static volatile int stop;

static void* busy(void* name) {
  const int fd = open_new(name);
  while (!stop) {
    CHECK(pwrite(fd, "x", 1, 0) == 1);
    CHECK(close(open_new("opened")) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  static const char* names[3] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i) CHECK(pthread_create(&threads[i], NULL, busy, (void*)names[i]) == 0);
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      write_tens(open("children", O_CREAT | O_WRONLY | O_APPEND, 0600), 1);
      write_tens(open_new("a"), 1);
      _exit(0);
    }
    wait_for(child);
  }
  stop = 1;
  for (int i = 0; i < 3; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  return 0;
}
