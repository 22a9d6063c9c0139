// A library whose clock of the day jumps: two hours back after a second, then a day ahead, then back by more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long started(const struct timespec* now) {
  static long first;
  if (first == 0) first = now->tv_sec * 1000 + now->tv_nsec / 1000000;
  return first;
}

int clock_gettime(clockid_t id, struct timespec* time) {
  const int result = (int)syscall(SYS_clock_gettime, id, time);
  struct timespec now;
  if (result != 0 || id != CLOCK_REALTIME || syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0) return result;
  const long age = now.tv_sec * 1000 + now.tv_nsec / 1000000 - started(&now);
  time->tv_sec += age < 1000 ? 0 : age < 1800 ? -7200 : age < 2600 ? 86400 : -90000;
  return 0;
}
