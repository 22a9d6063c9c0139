/* Each rank has columns of a table that lies in rows: one call a row, or one collective call with a view. Or it has rows of
 * its own behind each other: one call for each of them, or for all. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 150000, WIDTH = 2 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* how = argc > 1 ? argv[1] : "";
  const int together = strcmp(how, "collective") == 0;
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
  const int has_rows = how[0] == 'r', has_block = how[0] == 'b';
  if (has_block) MPI_File_write_at(file, (MPI_Offset)rank * ROWS * WIDTH * (MPI_Offset)sizeof *rows, rows, ROWS * WIDTH, MPI_DOUBLE, MPI_STATUS_IGNORE);
  for (int row = 0; !together && !has_block && row < ROWS; row++) {
    const MPI_Offset before = has_rows ? (MPI_Offset)rank * ROWS + row : (MPI_Offset)row * ranks + rank;
    MPI_File_write_at(file, before * WIDTH * (MPI_Offset)sizeof *rows, rows + (size_t)row * WIDTH, WIDTH, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  free(rows);
  MPI_Finalize();
  return 0;
}
