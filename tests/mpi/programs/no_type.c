/* The error handler of files returns: a program may pass what is no type, and go on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(holds) ((holds) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #holds), exit(1)))

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  char path[4096], ten[10] = {0};
  snprintf(path, sizeof path, "%s/no_type", arguments[1]);
  MPI_File file;
  MPI_Request request;
  CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS);
  CHECK(MPI_File_write(file, ten, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  CHECK(MPI_File_write_at(file, 0, ten, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  CHECK(MPI_File_iwrite_at(file, 0, ten, 1, MPI_DATATYPE_NULL, &request) != MPI_SUCCESS);
  CHECK(MPI_File_write_at(file, 0, ten, 10, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_close(&file) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
