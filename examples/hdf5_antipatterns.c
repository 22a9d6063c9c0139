/* Bad habits of programs that use HDF5, and the same work done well.
 *
 *   mpirun -n RANKS hdf5_antipatterns ANTIPATTERN bad|good DIRECTORY
 *
 * Each antipattern is named as `trikal insights` names it. HDF5 must be linked as a shared library: what is linked statically cannot
 * be observed. Build and observe it with
 *
 *   h5pcc -shlib hdf5_antipatterns.c -o hdf5_antipatterns
 *   trikal run -- mpirun -n 4 ./hdf5_antipatterns hdf5-independent bad /tmp */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[4096];
static int bad, rank, ranks;

static hid_t must(hid_t code, const char* what) {
  if (code >= 0) return code;
  fprintf(stderr, "hdf5_antipatterns: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return -1;
}

static const char* in(const char* directory, const char* name) {
  must(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path ? 0 : -1, "the name");
  return path;
}

static hid_t made(hid_t parent, const char* name, hid_t space, hid_t how) {
  return must(H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT), "making a dataset");
}

/* The access list of a file that all ranks open together. */
static hid_t together(void) {
  const hid_t access = must(H5Pcreate(H5P_FILE_ACCESS), "a list");
  must(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "the driver");
  return access;
}

/* A field of 32 MiB in chunks of 2 KiB, or of 2 MiB. */
static void small_chunks(const char* d) {
  enum { SIDE = 2048 };
  const hsize_t whole[2] = {SIDE, SIDE}, chunk[2] = {bad ? 16 : 512, bad ? 16 : 512};
  double* field = calloc((size_t)SIDE * SIDE, sizeof *field);
  const hid_t file = must(H5Fcreate(in(d, "field.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making a file");
  const hid_t space = H5Screate_simple(2, whole, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  must(H5Pset_chunk(how, 2, chunk), "the chunks");
  const hid_t data = made(file, "field", space, how);
  must(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, field), "writing");
  must(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, field), "reading");
  H5Dclose(data), H5Pclose(how), H5Sclose(space), H5Fclose(file);
  free(field);
}

/* 3000 steps of 64 numbers: a dataset each, or rows of one. */
static void many_datasets(const char* d) {
  enum { STEPS = 3000, NUMBERS = 64 };
  static double numbers[STEPS][NUMBERS];
  const hsize_t row = NUMBERS, whole[2] = {STEPS, NUMBERS};
  const hid_t file = must(H5Fcreate(in(d, "steps.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making a file");
  const hid_t space = bad ? H5Screate_simple(1, &row, NULL) : H5Screate_simple(2, whole, NULL);
  for (int step = 0; step < (bad ? STEPS : 1); step++) {
    char name[32];
    snprintf(name, sizeof name, "step%05d", step);
    const hid_t data = made(file, name, space, H5P_DEFAULT);
    must(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers[step]), "writing");
    H5Dclose(data);
  }
  H5Sclose(space), H5Fclose(file);
}

/* Every eighth number of 2000 rows: named one by one, or with a stride. */
static void scattered_selections(const char* d) {
  enum { ROWS = 2000, COLUMNS = 1024, WANTED = COLUMNS / 8 };
  static double numbers[WANTED];
  static hsize_t points[WANTED][2];
  const hsize_t whole[2] = {ROWS, COLUMNS}, wanted = WANTED;
  const hid_t file = must(H5Fcreate(in(d, "table.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making a file");
  const hid_t space = H5Screate_simple(2, whole, NULL), memory = H5Screate_simple(1, &wanted, NULL);
  const hid_t data = made(file, "table", space, H5P_DEFAULT);
  for (hsize_t row = 0; row < ROWS; row++) {
    const hsize_t start[2] = {row, 0}, stride[2] = {1, 8}, count[2] = {1, WANTED};
    for (hsize_t i = 0; i < WANTED; i++) points[i][0] = row, points[i][1] = 8 * i;
    if (bad) must(H5Sselect_elements(space, H5S_SELECT_SET, WANTED, &points[0][0]), "selecting");
    else must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL), "selecting");
    must(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers), "writing");
  }
  H5Dclose(data), H5Sclose(memory), H5Sclose(space), H5Fclose(file);
}

/* A record of 512 bytes of each rank in every step: each for itself at once, or sixteen steps later all together. */
static void hdf5_independent(const char* d) {
  enum { STEPS = 400, NUMBERS = 64 };
  static double numbers[16][NUMBERS];
  const hsize_t whole[2] = {STEPS, (hsize_t)ranks * NUMBERS}, part[2] = {bad ? 1 : 16, NUMBERS};
  const hid_t access = together(), transfer = H5Pcreate(H5P_DATASET_XFER);
  must(H5Pset_dxpl_mpio(transfer, bad ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE), "the way to transfer");
  const hid_t file = must(H5Fcreate(in(d, "records.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access), "making a file");
  const hid_t space = H5Screate_simple(2, whole, NULL), memory = H5Screate_simple(2, part, NULL);
  const hid_t data = made(file, "records", space, H5P_DEFAULT);
  for (hsize_t step = 0; step < STEPS; step += part[0]) {
    const hsize_t start[2] = {step, (hsize_t)rank * NUMBERS};
    must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL), "selecting");
    must(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, numbers), "writing");
  }
  H5Dclose(data), H5Sclose(memory), H5Sclose(space), H5Fclose(file), H5Pclose(transfer), H5Pclose(access);
}

/* All ranks open the same hundreds of datasets, each for itself or all together. */
static void hdf5_metadata_reads(const char* d) {
  enum { DATASETS = 3000 };
  char name[32];
  const hid_t access = together(), one = H5Screate(H5S_SCALAR);
  if (rank == 0) {
    const hid_t file = must(H5Fcreate(in(d, "model.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making a file");
    for (int i = 0; i < DATASETS; i++) {
      snprintf(name, sizeof name, "layer%04d", i);
      H5Dclose(made(file, name, one, H5P_DEFAULT));
    }
    H5Fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const hid_t how = must(H5Pcreate(H5P_DATASET_ACCESS), "a list");
  if (!bad) must(H5Pset_all_coll_metadata_ops(how, 1), "metadata by all together");
  const hid_t file = must(H5Fopen(in(d, "model.h5"), H5F_ACC_RDONLY, access), "opening a file");
  for (int i = 0; i < DATASETS; i++) {
    snprintf(name, sizeof name, "layer%04d", i);
    H5Dclose(must(H5Dopen2(file, name, how), "opening a dataset"));
  }
  H5Fclose(file), H5Pclose(how), H5Sclose(one), H5Pclose(access);
}

static const struct {
  const char* name;
  void (*commit)(const char* directory);
  int alone; /* the work of one rank */
} kAntipatterns[] = {
    {"small-chunks", small_chunks, 1},
    {"many-datasets", many_datasets, 1},
    {"scattered-selections", scattered_selections, 1},
    {"hdf5-independent", hdf5_independent, 0},
    {"hdf5-metadata-reads", hdf5_metadata_reads, 0},
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int known = 0;
  for (size_t i = 0; argc == 4 && i < sizeof kAntipatterns / sizeof *kAntipatterns; i++) {
    if (strcmp(argv[1], kAntipatterns[i].name) != 0) continue;
    known = 1, bad = argv[2][0] == 'b';
    if (rank == 0 || !kAntipatterns[i].alone) kAntipatterns[i].commit(argv[3]);
  }
  if (!known && rank == 0) {
    fputs("use: mpirun -n RANKS hdf5_antipatterns ANTIPATTERN bad|good DIRECTORY; ANTIPATTERN is one of", stderr);
    for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++)
      fprintf(stderr, " %s", kAntipatterns[i].name);
    fputc('\n', stderr);
  }
  MPI_Finalize();
  return known ? 0 : 2;
}
