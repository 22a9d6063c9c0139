/* Writes a known number of bytes, then ends in the way its second argument names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kWrites = 100, kBytes = 64 };

static void finish(const char* how, char** argv) {
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "_exit")) _exit(4);
  if (!strcmp(how, "quick_exit")) quick_exit(5);
  if (!strcmp(how, "exit_group")) syscall(SYS_exit_group, 6);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "segv")) raise(SIGSEGV);
  if (!strcmp(how, "term")) raise(SIGTERM);
  if (!strcmp(how, "kill")) raise(SIGKILL);
  if (!strcmp(how, "exec")) execl("/bin/true", "true", (char*)0);
  if (!strcmp(how, "self")) execl(argv[0], argv[0], argv[1], "exit", (char*)0);
}

int main(int argc, char** argv) {
  char data[kBytes];
  if (argc != 3) return 99;
  memset(data, 'x', sizeof data);
  int fd = open(argv[1], O_CREAT | O_WRONLY | O_APPEND, 0644);
  if (fd < 0) return 98;
  for (int i = 0; i < kWrites; ++i) {
    if (write(fd, data, sizeof data) != (ssize_t)sizeof data) return 97;
  }
  finish(argv[2], argv);
  return 0; /* "return" */
}
