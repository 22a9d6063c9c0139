// Files of HDF5 by names that are relative to a folder that the program went to. argv[1]: how many.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int data[16] = {0};
  hsize_t shape[] = {16};
  mkdir("below", 0755);
  if (chdir("below") != 0) return 1;
  for (int i = 0; i < atoi(argv[1]); ++i) {
    char name[32];
    snprintf(name, sizeof name, "part%d.h5", i);
    hid_t file = H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple(1, shape, NULL);
    hid_t set = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
  }
  if (chdir("..") != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (H5Fopen("part0.h5", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0) return 3;
  hid_t file = H5Fopen("below/part0.h5", H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "/data", H5P_DEFAULT);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) return 4;
  H5Dclose(set);
  H5Fclose(file);
  return 0;
}
