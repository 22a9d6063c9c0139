/* Every way to make, open, move and close a dataset that is watched, and some that are not. Takes a directory. */
#define H5Dcreate_vers 2
#define H5Dopen_vers 2
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(what)                                       \
  do {                                                   \
    if (!(what)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #what); \
      exit(1);                                           \
    }                                                    \
  } while (0)

static double v[4096];

static void grown(hid_t f) { /* H5S_ALL means what the dataset is now, not what it was when it was opened */
  hsize_t now = 10, most = H5S_UNLIMITED, chunk = 100;
  hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &now, &most);
  MUST(H5Pset_chunk(how, 1, &chunk) >= 0);
  hid_t d = H5Dcreate2(f, "grown", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  MUST(d >= 0 && H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  now = 1000;
  MUST(H5Dset_extent(d, &now) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  H5Dclose(d), H5Sclose(space), H5Pclose(how);
}

static void many_dimensions(hid_t f) {
  hsize_t extent[7] = {2, 3, 4, 2, 3, 4, 5}, start[7] = {0, 0, 0, 0, 0, 0, 1}, stride[7] = {1, 1, 1, 1, 1, 2, 2},
          count[7] = {1, 1, 1, 2, 3, 2, 2}, memory = 24;
  hid_t space = H5Screate_simple(7, extent, NULL), mem = H5Screate_simple(1, &memory, NULL);
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  MUST(H5Pset_chunk(how, 7, extent) >= 0);
  hid_t d = H5Dcreate2(f, "seven", H5T_NATIVE_INT, space, H5P_DEFAULT, how, H5P_DEFAULT);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL) >= 0);
  MUST(d >= 0 && H5Dwrite(d, H5T_NATIVE_INT, mem, space, H5P_DEFAULT, v) >= 0);
  H5Dclose(d), H5Sclose(space), H5Sclose(mem), H5Pclose(how);
}

static void ways_to_open(hid_t f) {
  hsize_t n = 16;
  hid_t space = H5Screate_simple(1, &n, NULL);
  hid_t g = H5Gcreate2(f, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t d = H5Dcreate1(g, "old", H5T_NATIVE_SHORT, space, H5P_DEFAULT);
  MUST(d >= 0);
  H5Dclose(d);
  MUST((d = H5Dopen1(f, "/a/old")) >= 0);
  H5Dclose(d);
  MUST((d = H5Oopen_by_idx(f, "a", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT)) >= 0);
  MUST(H5Dread(d, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  MUST(H5Idec_ref(d) == 0);
  MUST((d = H5Dopen2(g, "old", H5P_DEFAULT)) >= 0);
  MUST(H5Iinc_ref(d) == 2);
  MUST(H5Dclose(d) >= 0); /* still open */
  MUST(H5Dwrite(d, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  MUST(H5Dclose(d) >= 0);
  /* made without a name: seen when it is written */
  MUST((d = H5Dcreate_anon(f, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  MUST(H5Olink(d, f, "late", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  MUST(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  H5Dclose(d), H5Gclose(g), H5Sclose(space);
}

static void a_child(hid_t f) { /* what a child does with what it inherits is its own */
  hid_t d = H5Dopen2(f, "late", H5P_DEFAULT);
  MUST(d >= 0);
  if (fork() == 0) _exit(H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0 ? 0 : 1);
  int status = 1;
  MUST(wait(&status) > 0 && status == 0);
  H5Dclose(d);
}

int main(int argc, char** argv) {
  MUST(argc == 2 && chdir(argv[1]) == 0);
  hid_t f = H5Fcreate("sets.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  MUST(f >= 0 && chdir("/") == 0); /* the file stays what it was */
  grown(f);
  many_dimensions(f);
  ways_to_open(f);
  hid_t g = H5Gopen2(f, "a", H5P_DEFAULT);
  MUST(H5Fflush(f, H5F_SCOPE_LOCAL) >= 0);
  a_child(f);
  H5Gclose(g);
  MUST(H5Fclose(f) >= 0);
  return 0;
}
