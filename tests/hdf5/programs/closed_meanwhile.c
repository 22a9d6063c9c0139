/* A thread closes the dataset that another is writing: HDF5 lets it wait until the write is over, and not longer. */
#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(holds) ((holds) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #holds), exit(1)))

enum { kElements = 4 << 20, kRounds = 20 };
static int data[kElements];
static hid_t dataset, space;
static volatile int writes;

static void* close_both(void* unused) {
  while (!writes) continue;
  usleep(1000);
  CHECK(H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0);
  return unused;
}

int main(int count, char** arguments) {
  hbool_t safe = 0;
  CHECK(count == 2 && H5is_library_threadsafe(&safe) >= 0);
  if (!safe) return 77;
  const hsize_t extent = kElements;
  const hid_t file = H5Fcreate(arguments[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < kRounds; ++i) {
    char name[16];
    snprintf(name, sizeof name, "d%d", i);
    space = H5Screate_simple(1, &extent, NULL);
    dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    pthread_t thread;
    writes = 0;
    CHECK(dataset >= 0 && pthread_create(&thread, NULL, close_both, NULL) == 0);
    const hid_t written = dataset, selected = i % 2 == 0 ? H5S_ALL : space;
    writes = 1;
    CHECK(H5Dwrite(written, H5T_NATIVE_INT, H5S_ALL, selected, H5P_DEFAULT, data) >= 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  CHECK(H5Fclose(file) >= 0);
  return 0;
}
