// Each rank writes its block of one file; behind a barrier the first one looks how large it has become, and reads it.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t block = 1 << 20;
  char* buffer = calloc(1, block);
  const int file = open("shared.dat", O_RDWR | O_CREAT, 0644);
  if (pwrite(file, buffer, block, (off_t)((size_t)rank * block)) != (ssize_t)block) return 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    struct stat told;
    fstat(file, &told);
    FILE* log = fopen("check.log", "w");
    if (told.st_size != (off_t)((size_t)ranks * block))
      for (int i = 0; i < 100; i++) fprintf(log, "size %ld\n", (long)told.st_size);
    else fprintf(log, "ok\n");
    fclose(log);
    while (read(file, buffer, 65536) > 0) continue;
  }
  close(file);
  MPI_Finalize();
  free(buffer);
  return 0;
}
