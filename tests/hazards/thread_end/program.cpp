// Threads do I/O in their last moments, on stacks that are as small as they may be.
#include "../check.h"

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>

static pthread_key_t key;
static int file;

struct Last {
  int uses = 0;
  ~Last() { write_tens(file, 1); }
};
static thread_local Last last;

static void in_key_destructor(void*) { write_tens(file, 2); }

static void* thread_main(void* number) {
  ++last.uses;
  CHECK(pthread_setspecific(key, number) == 0);
  char name[32];
  snprintf(name, sizeof name, "./sub/../of%ld", reinterpret_cast<long>(number) % 10);
  CHECK(close(open_new(name)) == 0);
  return nullptr;
}

int main() {
  file = open_new("file");
  CHECK(mkdirat(AT_FDCWD, "sub", 0700) == 0);
  CHECK(pthread_key_create(&key, in_key_destructor) == 0);
  pthread_attr_t attributes;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, static_cast<size_t>(PTHREAD_STACK_MIN)) == 0);
  for (long i = 1; i <= 100; ++i) {
    pthread_t thread;
    CHECK(pthread_create(&thread, &attributes, thread_main, reinterpret_cast<void*>(i)) == 0);
    CHECK(pthread_join(thread, nullptr) == 0);
  }
  return 0;
}
