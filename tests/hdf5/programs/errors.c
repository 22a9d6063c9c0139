/* What HDF5 says of errors, and what the program can ask about them. */
#include <hdf5.h>
#include <stdio.h>

static herr_t mine(hid_t stack, void* data) {
  (void)stack;
  return printf("reported to the program: %ld\n", (long)H5Eget_num(H5E_DEFAULT)), *(int*)data += 1, 0;
}

int main(int argc, char** argv) {
  char path[4096];
  int reported = 0;
  void* data = NULL;
  H5E_auto2_t report = NULL;
  snprintf(path, sizeof path, "%s/e.h5", argc > 1 ? argv[1] : ".");
  const hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), s = H5Screate(H5S_SCALAR);
  if (H5Dopen2(f, "absent", H5P_DEFAULT) >= 0) return 1; /* printed by HDF5 */
  printf("on the stack: %ld\n", (long)H5Eget_num(H5E_DEFAULT));
  H5Eset_auto2(H5E_DEFAULT, mine, &reported);
  const hid_t d = H5Dcreate2(f, "there", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  if (d < 0 || report != mine || data != &reported || reported != 0) return 2;
  if (H5Dwrite(d, H5T_NATIVE_INT, 77, H5S_ALL, H5P_DEFAULT, &reported) >= 0 || H5Fopen("/none", 0, H5P_DEFAULT) >= 0)
    return 3;
  printf("on the stack: %ld, reported: %d\n", (long)H5Eget_num(H5E_DEFAULT), reported);
  return H5Dclose(d) < 0 || H5Sclose(s) < 0 || H5Fclose(f) < 0;
}
