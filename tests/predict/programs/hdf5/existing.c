/* Reads whole datasets of a file that exists: existing FILE DATASET... */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return 2;
  long long sum = 0;
  for (int i = 2; i < argc; i++) {
    hid_t set = H5Dopen2(file, argv[i], H5P_DEFAULT);
    if (set < 0) return 3;
    hid_t space = H5Dget_space(set);
    const hssize_t elements = H5Sget_simple_extent_npoints(space);
    int* values = malloc((size_t)elements * sizeof *values);
    if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) return 4;
    for (hssize_t k = 0; k < elements; k++) sum += values[k];
    free(values);
    H5Sclose(space);
    H5Dclose(set);
  }
  H5Fclose(file);
  return sum == -1;
}
