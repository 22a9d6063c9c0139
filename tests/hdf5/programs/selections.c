/* One write of each kind of selection, then a read of all and a flush. Takes a directory. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int holds, int line) {
  if (!holds) fprintf(stderr, "line %d\n", line), exit(1);
}
#define MUST(what) must((what), __LINE__)

static int values[200];

int main(int argc, char** argv) {
  MUST(argc == 2 && chdir(argv[1]) == 0);
  hsize_t extent[2] = {10, 20}, start[2] = {0, 0}, stride[2] = {2, 4}, count[2] = {3, 2}, more[2] = {9, 19};
  hsize_t points[3][2] = {{1, 1}, {2, 7}, {9, 3}}, six = 6, three = 3, seven = 7;
  hid_t f = H5Fcreate("sets.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, extent, NULL);
  hid_t d = H5Dcreate2(f, "grid", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t of_three = H5Screate_simple(1, &three, NULL), of_six = H5Screate_simple(1, &six, NULL);
  hid_t of_seven = H5Screate_simple(1, &seven, NULL);
  MUST(H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_INT, of_three, space, H5P_DEFAULT, values) >= 0);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_INT, of_six, space, H5P_DEFAULT, values) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_INT, of_six, space, H5P_DEFAULT, values) >= 0);
  hsize_t one[2] = {1, 1};
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_OR, more, NULL, one, NULL) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_INT, of_seven, space, H5P_DEFAULT, values) >= 0);
  MUST(H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  MUST(H5Dflush(d) >= 0 && H5Fflush(f, H5F_SCOPE_LOCAL) >= 0);
  H5Dclose(d), H5Sclose(space), H5Sclose(of_three), H5Sclose(of_six), H5Sclose(of_seven), H5Fclose(f);
  return 0;
}
