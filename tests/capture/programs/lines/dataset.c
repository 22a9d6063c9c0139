/* Rows of a dataset through libhdf5. */
#include <hdf5.h>

enum { ROWS = 300, WIDTH = 64 };

static void write_rows(hid_t data, hid_t space) {
  static double row[WIDTH];
  const hsize_t size[2] = {1, WIDTH};
  const hid_t memory = H5Screate_simple(2, size, NULL);
  for (hsize_t i = 0; i < ROWS; i++) {
    const hsize_t from[2] = {i, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, row); /* the line */
  }
  H5Sclose(memory);
}

int main(void) {
  const hid_t file = H5Fcreate("out.dat", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t extent[2] = {ROWS, WIDTH}, chunk[2] = {1, WIDTH};
  const hid_t space = H5Screate_simple(2, extent, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(how, 2, chunk);
  const hid_t data = H5Dcreate2(file, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  write_rows(data, space);
  H5Dclose(data), H5Sclose(space), H5Pclose(how), H5Fclose(file);
  return 0;
}
