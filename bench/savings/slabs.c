/* Ranks write rows of one dataset of HDF5, each its own part: row by row, or in one call. */
#include <hdf5.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40000, WIDTH = 8 };

static void write_rows(hid_t data, hid_t space, int rank, int rows_a_call, hid_t transfer, const double* values) {
  const hsize_t mine[2] = {(hsize_t)rows_a_call, WIDTH};
  const hid_t memory = H5Screate_simple(2, mine, NULL);
  for (int row = 0; row < ROWS; row += rows_a_call) {
    const hsize_t from[2] = {(hsize_t)rank * ROWS + (hsize_t)row, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, mine, NULL);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, values + (size_t)row * WIDTH);
  }
  H5Sclose(memory);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int at_once = argc > 1 && strcmp(argv[1], "block") == 0;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT);
  const hid_t file = H5Fcreate("slabs.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t extent[2] = {(hsize_t)ranks * ROWS, WIDTH};
  const hid_t space = H5Screate_simple(2, extent, NULL);
  const hid_t data = H5Dcreate2(file, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double* values = calloc((size_t)ROWS * WIDTH, sizeof *values);
  write_rows(data, space, rank, at_once ? ROWS : 1, transfer, values);
  free(values);
  H5Dclose(data), H5Sclose(space), H5Pclose(access), H5Pclose(transfer), H5Fclose(file);
  MPI_Finalize();
  return 0;
}
