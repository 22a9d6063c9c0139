// Files with a colon in their name, and a dataset that is opened through a link to another file.
#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

#define CHECK(x) \
  if ((x) < 0) return printf("failed: %s\n", #x), 1

static int make(const char* name, const char* dataset, hid_t access) {
  hid_t file, space, data;
  const hsize_t size = 4;
  const int values[4] = {1, 2, 3, 4};
  CHECK(file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(space = H5Screate_simple(1, &size, NULL));
  CHECK(data = H5Dcreate2(file, dataset, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  H5Dclose(data), H5Sclose(space);
  CHECK(H5Fclose(file));
  return 0;
}

static int follow_link(void) {
  hid_t file, data;
  int values[4];
  CHECK(file = H5Fcreate("main.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Lcreate_external("ext.h5", "/one", file, "/link", H5P_DEFAULT, H5P_DEFAULT));
  CHECK(data = H5Dopen2(file, "/link", H5P_DEFAULT));
  CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(data));
  return (int)H5Fclose(file);
}

int main(int argc, char** argv) {
  if (argc < 2 || chdir(argv[1]) != 0) return 2;
  return make("run:1.h5", "/one", H5P_DEFAULT) || make("ufs:2.h5", "/two", H5P_DEFAULT) ||
         make("ext.h5", "/one", H5P_DEFAULT) || follow_link();
}
