// The process ends while other threads are in the middle of calls.
#include "../check.h"

#include <pthread.h>

static void* writer(void* name) {
  const int fd = open_new(name);
  for (;;) CHECK(pwrite(fd, "x", 1, 0) == 1);
  return NULL;
}

static void* opener(void* unused) {
  (void)unused;
  for (int i = 0;; i = (i + 1) % 1000) {
    char name[32];
    snprintf(name, sizeof name, "opened%d", i);
    CHECK(close(open_new(name)) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, writer, (void*)"one") == 0);
  CHECK(pthread_create(&thread, NULL, writer, (void*)"two") == 0);
  CHECK(pthread_create(&thread, NULL, opener, NULL) == 0);
  usleep(20000);
  exit(7);
}
