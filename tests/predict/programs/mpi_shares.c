/* Each rank writes its share of a file, all together and alone; the first reads a piece of it back. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  double data[512] = {0};
  MPI_File file;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int steps = atoi(argv[1]);
  MPI_File_open(MPI_COMM_WORLD, "shares.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int step = 0; step < steps; ++step) {
    const MPI_Offset at = ((MPI_Offset)step * size + rank) * (MPI_Offset)sizeof data;
    MPI_File_write_at_all(file, at, data, 512, MPI_DOUBLE, &status);
    if (rank % 2 == 1 || step == 0) MPI_File_write_at(file, at, data, 100 + rank, MPI_INT, &status);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < 5; ++i) MPI_File_read_at(file, i * 64, data, 64, MPI_BYTE, &status);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
