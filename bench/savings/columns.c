/* Each rank has the columns of a table that lies in rows: one call a row, or one collective call with a view. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000, WIDTH = 16 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int together = argc > 1 && strcmp(argv[1], "collective") == 0;
  double* rows = calloc((size_t)ROWS * WIDTH, sizeof *rows);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "columns.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (together) {
    MPI_Datatype columns;
    MPI_Type_vector(ROWS, WIDTH, WIDTH * ranks, MPI_DOUBLE, &columns);
    MPI_Type_commit(&columns);
    MPI_File_set_view(file, (MPI_Offset)rank * WIDTH * (MPI_Offset)sizeof *rows, MPI_DOUBLE, columns, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, rows, ROWS * WIDTH, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&columns);
  }
  for (int row = 0; !together && row < ROWS; row++) {
    const MPI_Offset at = ((MPI_Offset)row * ranks + rank) * WIDTH * (MPI_Offset)sizeof *rows;
    MPI_File_write_at(file, at, rows + (size_t)row * WIDTH, WIDTH, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  free(rows);
  MPI_Finalize();
  return 0;
}
