/* Writes a dataset; its HDF5 comes with it. */
#include <hdf5.h>

int work(const char* path) {
  int numbers[10] = {0};
  const hsize_t n = 10;
  for (int round = 0; round < 2; round++) {
    const hid_t f = round == 0 ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                               : H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t s = H5Screate_simple(1, &n, NULL);
    const hid_t d = round == 0 ? H5Dcreate2(f, "x", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                               : H5Dopen2(f, "x", H5P_DEFAULT);
    if (f < 0 || d < 0 || H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) return 1;
    H5Dclose(d), H5Sclose(s), H5Fclose(f);
  }
  return 0;
}
