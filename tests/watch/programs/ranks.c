// Every rank writes its part of one file by MPI-IO, and a file of its own.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank = 0;
  char path[4096], block[4096] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  snprintf(path, sizeof path, "%s/shared", argv[1]);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  snprintf(path, sizeof path, "%s/rank-%d", argv[1], rank);
  FILE* own = fopen(path, "w");
  for (int i = 0; i < 40; ++i) {
    MPI_File_write_at_all(file, (MPI_Offset)sizeof block * (rank + 4 * i), block, sizeof block, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 0, block, 100, MPI_BYTE, MPI_STATUS_IGNORE);
    fprintf(own, "%d\n", i);
    usleep(20000);
  }
  fclose(own);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
