// Each child does one thing on a small stack: the smallest that a thread can have (16 KiB) or a signal handler's of 8.
#include "on_small_stack.h"

#include <limits.h>
#include <pthread.h>

void early(void);

static char program[PATH_MAX];

static void handler_ends(int signal) {
  (void)signal;
  write_ten("handler");
  _exit(3);
}

static void* thread_writes(void* unused) {
  write_ten("thread");
  const int fd = open(".", O_TMPFILE | O_WRONLY, 0600);
  if (fd < 0) write_ten("<tmpfile>");  // not every file system has them
  else CHECK(write(fd, "ten bytes\n", 10) == 10 && close(fd) == 0);
  return unused;
}

static void* thread_forks(void* unused) {
  const pid_t pid = fork();
  if (pid == 0) {
    write_ten("forked");
    _exit(0);
  }
  wait_for(pid);
  return unused;
}

static void* thread_executes(void* unused) {
  char* arguments[] = {"again", NULL};
  write_ten("executed");
  setenv("SMALL_STACKS_AGAIN", "1", 1);
  execvp(program, arguments);
  return unused;
}

static void* thread_exits(void* unused) {
  write_ten("left");
  exit(3);
  return unused;
}

static void run(void* (*work)(void*)) {
  pthread_attr_t small;
  pthread_t thread;
  CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN) == 0);
  CHECK(pthread_create(&thread, &small, work, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void in_child(void* (*work)(void*), int wanted) {
  int status = 0;
  const pid_t pid = fork();
  if (pid == 0) {
    if (work == NULL) on_handlers_stack(handler_ends);
    else run(work);
    exit(0);
  }
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == wanted);
}

int main(int count, char** arguments) {
  early();
  if (strcmp(arguments[0], "again") == 0) return write_ten("executed"), 0;
  CHECK(count >= 1 && realpath("/proc/self/exe", program) != NULL);
  in_child(NULL, 3);
  in_child(thread_writes, 0);
  in_child(thread_forks, 0);
  in_child(thread_executes, 0);
  in_child(thread_exits, 3);
  return 0;
}
