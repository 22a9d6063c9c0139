// Forks, and each process writes and reads files of its own and one of all: many small accesses, for a while.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work(const char* folder, int number, double seconds) {
  char path[4096], block[512] = {0};
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  snprintf(path, sizeof path, "%s/own-%d", folder, number);
  int own = open(path, O_RDWR | O_CREAT, 0600);
  snprintf(path, sizeof path, "%s/shared", folder);
  FILE* shared = fopen(path, "a");
  if (own < 0 || shared == NULL) exit(1);
  do {
    for (int i = 0; i < 1000; ++i)
      if (write(own, block, 100 + i % 7) < 0) exit(1);
    lseek(own, 0, SEEK_SET);
    for (int i = 0; i < 500; ++i)
      if (read(own, block, sizeof block) < 0) exit(1);
    fprintf(shared, "%d\n", number);
    struct stat status;
    fstat(own, &status);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < seconds);
  fsync(own);
  close(own);
  fclose(shared);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int children = atoi(argv[2]);
  const double seconds = atof(argv[3]);
  for (int i = 1; i <= children; ++i) {
    if (fork() == 0) {
      work(argv[1], i, seconds * i / children);
      return 0;
    }
  }
  work(argv[1], 0, seconds);
  while (wait(NULL) > 0) {
  }
  return argc > 4 ? atoi(argv[4]) : 0;
}
