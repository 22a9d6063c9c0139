// Writes 4 KiB at a time and reads it back, for so many seconds, with a file of its own for each rank. One rank may be told to
// sync after every write, which makes it slow.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 2;
  int slow = argc > 2 ? atoi(argv[2]) : -1;
  const char* name = argc > 3 ? argv[3] : "steady";
  int rank = 0;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  char path[256];
  static char block[4096];
  snprintf(path, sizeof path, "%s.%d", name, rank);
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return 1;
  double end = now() + seconds;
  for (long i = 0; now() < end; i++) {
    if (pwrite(file, block, sizeof block, (i % 256) * (long)sizeof block) != sizeof block) return 2;
    if (rank == slow) fsync(file);
    if (i % 4 == 0 && pread(file, block, sizeof block, 0) != sizeof block) return 3;
    usleep(rank == slow ? 1000 : 2000);
  }
  close(file);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
