/* Accesses of shared files whose most common sizes and gaps are those of no single rank:
     common_values FOLDER [end|killed]
   tie.dat      each rank has four sizes; the last one differs between the first rank and all others
   many.dat     each rank has more sizes and gaps than a record has slots for; what is most common on a rank is its own
   mpi.dat      the same sizes through MPI-IO
   tests/mpi/test_common_values.py says how often each comes. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kOwn = 5, kCommon = 12, kOwnTimes = 9 };
static char data[32768];

static int open_in(const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return open(path, O_RDWR | O_CREAT, 0644);
}

static long write_times(int file, size_t bytes, int times) {
  long written = 0;
  for (int i = 0; i < times; ++i) written += pwrite(file, data, bytes, 0);
  return written;
}

static void tie(const char* folder, int rank) {
  const int file = open_in(folder, "tie.dat");
  write_times(file, 1000, 6);
  write_times(file, 2000, 5);
  write_times(file, 3000, 4);
  write_times(file, rank == 0 ? 9000 : 500, 1);
  close(file);
}

static int common_times(int which, int rank) { return 1 + (7 * which + 3 * rank) % 5; }
static size_t own_size(int which, int rank) { return (size_t)(10000 + 100 * rank + which); }

/* A gap that is as large as the access, so gaps are as common as sizes. */
static void many(const char* folder, int rank) {
  const int file = open_in(folder, "many.dat");
  off_t at = 0;
  for (int which = 0; which < kCommon + kOwn; ++which) {
    const size_t bytes = which < kCommon ? 100 * (size_t)(which + 1) : own_size(which, rank);
    const int times = which < kCommon ? common_times(which, rank) : kOwnTimes;
    for (int i = 0; i < times; ++i) {
      at += (off_t)bytes;
      if (pwrite(file, data, bytes, at) < 0) perror("many.dat");
      at += (off_t)bytes;
    }
  }
  close(file);
}

static void through_mpi(const char* folder, int rank) {
  char path[4096];
  MPI_File file;
  snprintf(path, sizeof path, "%s/mpi.dat", folder);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int which = 0; which < kCommon + kOwn; ++which) {
    const size_t bytes = which < kCommon ? 100 * (size_t)(which + 1) : own_size(which, rank);
    const int times = which < kCommon ? common_times(which, rank) : kOwnTimes;
    for (int i = 0; i < times; ++i) MPI_File_write_at(file, 0, data, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  int rank;
  if (argc < 2) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  tie(argv[1], rank);
  many(argv[1], rank);
  through_mpi(argv[1], rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 2 && strcmp(argv[2], "killed") == 0) kill(getpid(), SIGKILL);
  return MPI_Finalize();
}
