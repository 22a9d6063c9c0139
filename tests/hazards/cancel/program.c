// Threads cancelled inside a call unwind through our wrappers.
#include "../check.h"

#include <pthread.h>

static int ends[2];

static void cleanup(void* fd) { write_tens(*(int*)fd, 1); }

static void* reader(void* fd) {
  pthread_cleanup_push(cleanup, fd);
  char c;
  while (read(ends[0], &c, 1) >= 0) {
  }
  pthread_cleanup_pop(0);
  return NULL;
}

static void* writer(void* fd) {
  pthread_cleanup_push(cleanup, fd);
  for (;;) CHECK(pwrite(*(int*)fd, "x", 1, 0) == 1);
  pthread_cleanup_pop(0);
}

int main(void) {
  int fd = open_new("data");
  CHECK(pipe(ends) == 0);
  for (int i = 0; i < 40; ++i) {
    pthread_t thread;
    void* result = NULL;
    CHECK(pthread_create(&thread, NULL, i % 2 == 0 ? reader : writer, &fd) == 0);
    usleep(500);
    CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  const int after = open_new("after");
  write_tens(after, 2);
  return 0;
}
