// Threads that write 64 bytes at a time, so many calls a second together, for so many seconds: paced FOLDER THREADS RATE SECONDS.
// Prints how many calls were made, how many seconds they took, and the CPU seconds of user and system.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char* folder;
static double rate, seconds;  // rate: of one thread
static pthread_barrier_t begin;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* work(void* number) {
  char path[512];
  static char block[64];
  snprintf(path, sizeof path, "%s/paced.%ld", folder, (long)number);
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  long calls = 0;
  if (file < 0) exit(1);
  pthread_barrier_wait(&begin);
  const double start = now();
  for (double t = start; t < start + seconds; t = now()) {
    // Behind by a millisecond or less: as programs do, in bursts.
    for (const long due = (long)((t - start) * rate); calls < due; ++calls) {
      if (pwrite(file, block, sizeof block, calls % 4096 * 64) != (ssize_t)sizeof block) exit(2);
    }
    usleep(1000);
  }
  close(file);
  unlink(path);
  return (void*)calls;
}

int main(int argc, char** argv) {
  if (argc != 5) return 3;
  const int threads = atoi(argv[2]);
  folder = argv[1], rate = atof(argv[3]) / threads, seconds = atof(argv[4]);
  pthread_t ids[64];
  if (threads < 1 || threads > 64) return 3;
  pthread_barrier_init(&begin, NULL, (unsigned)threads);
  const double start = now();
  long calls = 0;
  for (long i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, work, (void*)i);
  for (int i = 0; i < threads; ++i) {
    void* made = NULL;
    pthread_join(ids[i], &made);
    calls += (long)made;
  }
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%ld %.3f %ld.%06ld %ld.%06ld\n", calls, now() - start, used.ru_utime.tv_sec, used.ru_utime.tv_usec, used.ru_stime.tv_sec,
         used.ru_stime.tv_usec);
  return 0;
}
