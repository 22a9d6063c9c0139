// The process ends while other threads are in the middle of calls.
#include "../check.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int at_work;  // writers: on a busy machine a thread may take its time to begin

static void* writer(void* name) {
  const int fd = open_new(name);
  CHECK(pwrite(fd, "x", 1, 0) == 1);
  atomic_fetch_add(&at_work, 1);
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
  while (atomic_load(&at_work) < 2) usleep(1000);
  usleep(20000);
  exit(7);
}
