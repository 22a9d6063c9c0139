/* Loaded by load_plugin.c with RTLD_LOCAL, its MPI with it, as Python modules are. */
#include <mpi.h>
#include <stdio.h>

int run(const char* directory) {
  char path[1024], data[100] = {0};
  MPI_File file;
  int rank;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s/plugin.dat", directory);
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    return 3;
  MPI_File_write_at(file, rank * 100, data, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
