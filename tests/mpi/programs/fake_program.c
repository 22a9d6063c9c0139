/* Uses fake_mpi.c: one file of all ranks, one of its own with every mode there is. */
#include "fake_mpi.h"

#include <stdio.h>

static int failed(int result) { return result != MPI_SUCCESS; }

int main(int argc, char** argv) {
  static char data[4096], path[4096];
  MPI_File file;
  MPI_Info info;
  MPI_Request request;
  int rank = -1;
  if (argc < 2 || failed(MPI_Init(&argc, &argv)) || failed(MPI_Comm_rank(MPI_COMM_WORLD, &rank))) return 2;
  snprintf(path, sizeof path, "%s/shared.dat", argv[1]);
  MPI_Info_create(&info);
  MPI_Info_set(info, "striping_factor", "8");
  if (failed(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file))) return 3;
  if (failed(MPI_File_write_at(file, rank * 1000, data, 250, MPI_INT, MPI_STATUS_IGNORE))) return 4;
  if (failed(MPI_File_iwrite_at(file, rank * 1000, data, 100, MPI_BYTE, &request))) return 5;
  if (failed(MPI_Wait(&request, MPI_STATUS_IGNORE))) return 6;
  if (failed(MPI_File_read_at(file, rank * 1000, data, 10, MPI_INT, MPI_STATUS_IGNORE))) return 7;
  if (failed(MPI_File_close(&file))) return 8;
  snprintf(path, sizeof path, "%s/own.%d", argv[1], rank);
  if (failed(MPI_File_open(MPI_COMM_SELF, path,
                           MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL,
                           &file)))
    return 9;
  if (failed(MPI_File_write_at(file, 0, data, 7, MPI_BYTE, MPI_STATUS_IGNORE))) return 10;
  if (failed(MPI_File_close(&file))) return 11;
  return MPI_Finalize();
}
