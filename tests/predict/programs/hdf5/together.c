/* Ranks write one file through HDF5 over MPI: their rows of a field, together or each for itself, and rank 0 a table alone. */
#include <hdf5.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 4, collective = argc > 2 && strcmp(argv[2], "all") == 0;
  enum { ROWS = 8, COLUMNS = 256 };
  double* field = calloc(ROWS * COLUMNS, sizeof *field);
  if (rank == 0) {
    const hsize_t size = 10;
    const hid_t table = H5Fcreate("table.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                space = H5Screate_simple(1, &size, NULL);
    const hid_t data = H5Dcreate2(table, "names", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, field);
    H5Dclose(data), H5Sclose(space), H5Fclose(table);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  const hid_t file = H5Fcreate("field.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t whole[3] = {(hsize_t)steps, (hsize_t)ranks * ROWS, COLUMNS}, part[3] = {1, ROWS, COLUMNS};
  const hid_t space = H5Screate_simple(3, whole, NULL), memory = H5Screate_simple(3, part, NULL);
  const hid_t data = H5Dcreate2(file, "field", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int step = 0; step < steps; step++) {
    const hsize_t start[3] = {(hsize_t)step, (hsize_t)rank * ROWS, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, field);
  }
  H5Dclose(data), H5Fclose(file);
  const hid_t table = H5Fopen("table.h5", H5F_ACC_RDONLY, access); /* all read what one has written */
  const hid_t names = H5Dopen2(table, "names", H5P_DEFAULT);
  int first[10];
  H5Dread(names, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, first);
  H5Dclose(names), H5Fclose(table);
  H5Sclose(space), H5Sclose(memory), H5Pclose(access), H5Pclose(transfer);
  free(field);
  MPI_Finalize();
  return 0;
}
