/* What the programs of all hazards use. A check that fails ends the program with 99 and says where. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(holds) ((holds) ? (void)0 : check_failed(__LINE__, #holds))

static inline void check_failed(int line, const char* what) {
  char text[256];
  const int length = snprintf(text, sizeof text, "line %d: %s (errno %d)\n", line, what, errno);
  if (length > 0 && write(2, text, (size_t)length) < 0) _exit(98);
  _exit(99);
}

/* `count` writes of ten bytes. */
static inline void write_tens(int fd, int count) {
  for (int i = 0; i < count; ++i) CHECK(write(fd, "ten bytes\n", 10) == 10);
}

static inline int open_new(const char* path) {
  const int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  CHECK(fd >= 0);
  return fd;
}

static inline void wait_for(pid_t child) {
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}
