/* Pieces of a file through MPI-IO. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static char piece[64];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "out.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int i = 0; i < 300; i++)
    MPI_File_write_at(file, (MPI_Offset)(rank * 300 + i) * 64, piece, 64, MPI_BYTE, MPI_STATUS_IGNORE); /* the line */
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
