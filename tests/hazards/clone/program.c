// Processes and threads made by clone itself: nobody tells us of them.
#include "../check.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

static char stack[256 * 1024];
static int shared_file;

static int in_child(void* unused) {
  (void)unused;
  write_tens(shared_file, 3);
  return 0;
}

int main(void) {
  shared_file = open_new("shared");
  wait_for(clone(in_child, stack + sizeof stack, SIGCHLD, NULL));                      // a process
  wait_for(clone(in_child, stack + sizeof stack, CLONE_VM | CLONE_FILES | SIGCHLD, NULL));  // a thread of sorts
  const pid_t raw = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (raw == 0) {
    write_tens(shared_file, 1);
    _exit(0);
  }
  wait_for(raw);
  write_tens(shared_file, 1);
  return 0;
}
