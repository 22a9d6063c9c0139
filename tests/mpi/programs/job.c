/* Writes files of every kind of sharing and ends as it is told:  job FOLDER HOW RANK
   bytes of each rank: shared.dat 1000 * (rank + 1), own.<rank> 500, others.dat 10 (not rank 0), some.dat 7 (ranks 0, 1) */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char data[1 << 16];

static void put(const char* folder, const char* name, size_t bytes, off_t at) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_WRONLY | O_CREAT, 0600);
  if (file < 0 || pwrite(file, data, bytes, at) != (ssize_t)bytes || close(file) != 0) exit(9);
}

/* Workers end while the master still takes whatever comes: a stray message would be one too many, or one too short. */
static int master_and_workers(int rank, int ranks) {
  if (rank != 0) {
    int work = 1000 + rank;
    return MPI_Send(&work, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  }
  sleep(1);
  for (int i = 1; i < ranks; ++i) {
    int work = 0, count = 0;
    MPI_Status status;
    MPI_Recv(&work, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    if (count != 1 || work != 1000 + status.MPI_SOURCE || status.MPI_TAG != status.MPI_SOURCE) exit(8);
  }
  int left = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &left, MPI_STATUS_IGNORE);
  if (left) exit(7);
  puts("nothing but work");
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const char *folder = argv[1], *how = argv[2];
  int rank, ranks, whose = atoi(argv[3]);
  char own[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  put(folder, "shared.dat", 1000 * (size_t)(rank + 1), 4096L * rank);
  snprintf(own, sizeof own, "own.%d", rank);
  put(folder, own, 500, 0);
  if (rank > 0) put(folder, "others.dat", 10, 10L * rank);
  if (rank < 2) put(folder, "some.dat", 7, 7L * rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "anytag") == 0) master_and_workers(rank, ranks);
  if (rank == whose) {
    if (strcmp(how, "sleep") == 0) sleep(6);
    if (strcmp(how, "exit") == 0) exit(3);
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "stuck") == 0)
      for (;;) pause();
  }
  if (strcmp(how, "late") == 0) put(folder, "late.dat", 3, 0);
  return MPI_Finalize();
}
