/* A file of all ranks, and one of the second and third alone. */
#include <mpi.h>
#include <stdio.h>

static void write_ten(MPI_Comm comm, const char* directory, const char* name) {
  char path[1024], data[10] = {0};
  MPI_File file;
  int rank;
  MPI_Comm_rank(comm, &rank);
  snprintf(path, sizeof path, "%s/%s", directory, name);
  if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_File_write_at(file, rank * 10, data, 10, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  write_ten(MPI_COMM_WORLD, argv[1], "all.dat");
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1 || rank == 2, rank, &part);
  if (rank == 1 || rank == 2) write_ten(part, argv[1], "some.dat");
  MPI_Finalize();
  return 0;
}
