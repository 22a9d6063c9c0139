/* Every rank writes rank + 1 bytes to each of so many files of its own:  many_files FOLDER COUNT */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int rank, count = atoi(argv[2]);
  char path[4096], data[4096] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    snprintf(path, sizeof path, "%s/many.%d.%x", argv[1], rank, (unsigned)i * 2654435761u);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0 || write(file, data, (size_t)rank + 1) != rank + 1 || close(file) != 0) return 3;
    unlink(path);
  }
  return MPI_Finalize();
}
