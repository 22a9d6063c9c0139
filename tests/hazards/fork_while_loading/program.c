// A process forks while another thread holds the loader's lock, which the C library does not free in the child. Bare, a child
// may call any function; so it may when the function's wrapper has yet to find the function.
#include "../check.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/uio.h>

static volatile int held, done;

static int hold(struct dl_phdr_info* info, size_t size, void* data) {
  (void)info, (void)size, (void)data;
  held = 1;
  while (!done) usleep(1000);
  return 1;
}

static void* holder(void* unused) {
  dl_iterate_phdr(hold, NULL);
  return unused;
}

static void work_as_child(const char* path) {
  alarm(20); /* better than waiting for ever */
  struct iovec ten = {(void*)"ten bytes\n", 10};
  const int fd = creat(path, 0600);
  CHECK(fd >= 0 && pwritev(fd, &ten, 1, 0) == 10 && fdatasync(fd) == 0 && close(fd) == 0);
  CHECK(dlopen(NULL, RTLD_NOW) != NULL); /* what is loaded may be looked at with the next open */
  write_tens(open_new("after_dlopen"), 1);
}

static void be_child(void) {
  work_as_child("by_child");
  const pid_t grandchild = fork();
  if (grandchild == 0) work_as_child("by_grandchild");
  else wait_for(grandchild);
  _exit(0);
}

int main(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, holder, NULL) == 0);
  while (!held) usleep(1000);
  write_tens(open_new("by_parent"), 1);
  const pid_t child = fork();
  if (child == 0) be_child();
  wait_for(child);
  done = 1;
  CHECK(pthread_join(thread, NULL) == 0);
  return 0;
}
