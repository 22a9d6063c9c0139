/* HDF5 by its C functions: shapes, selections, types, groups, attributes, errors. Takes a number of rows. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double numbers[4096];

/* A matrix written row by row, read back in columns with a stride. */
static void rows_and_columns(hid_t file, hsize_t rows) {
  const hsize_t whole[2] = {rows, 64}, one_row[2] = {1, 64};
  const hid_t space = H5Screate_simple(2, whole, NULL), memory = H5Screate_simple(2, one_row, NULL);
  const hid_t data = H5Dcreate2(file, "matrix", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (hsize_t row = 0; row < rows; row++) {
    const hsize_t start[2] = {row, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one_row, NULL);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  }
  H5Sclose(memory);
  for (hsize_t column = 0; column < 64; column += 16) {
    const hsize_t start[2] = {0, column}, stride[2] = {2, 1}, count[2] = {rows / 2, 1}, wanted = rows / 2;
    const hid_t here = H5Screate_simple(1, &wanted, NULL);
    double* into = malloc(wanted * sizeof *into);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
    H5Dread(data, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, into);
    free(into), H5Sclose(here);
  }
  H5Dclose(data), H5Sclose(space);
}

/* Steps appended to a dataset in chunks, which grows. */
static void grows(hid_t file, hsize_t steps) {
  hsize_t now[2] = {0, 100};
  const hsize_t most[2] = {H5S_UNLIMITED, 100}, chunk[2] = {10, 50}, step[2] = {1, 100};
  const hid_t how = H5Pcreate(H5P_DATASET_CREATE), none = H5Screate_simple(2, now, most);
  H5Pset_chunk(how, 2, chunk), H5Pset_deflate(how, 4), H5Pset_shuffle(how);
  const hid_t data = H5Dcreate2(file, "series", H5T_IEEE_F32LE, none, H5P_DEFAULT, how, H5P_DEFAULT);
  const hid_t memory = H5Screate_simple(2, step, NULL);
  for (hsize_t i = 0; i < steps; i++) {
    const hsize_t start[2] = {i, 0};
    now[0] = i + 1;
    H5Dset_extent(data, now);
    const hid_t space = H5Dget_space(data);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, step, NULL);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
    H5Sclose(space);
    if (i % 10 == 9) H5Fflush(file, H5F_SCOPE_LOCAL);
  }
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, calloc(steps, 800));
  H5Dflush(data);
  H5Dclose(data), H5Sclose(memory), H5Sclose(none), H5Pclose(how);
}

typedef struct {
  int id;
  double position[3];
  char name[12];
} Particle;

/* Types: a compound with an array and a text, an enumeration, an opaque one. */
static void types(hid_t file) {
  const hsize_t three = 3, some = 40;
  static Particle particles[40];
  const hid_t position = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three), name = H5Tcopy(H5T_C_S1);
  H5Tset_size(name, 12), H5Tset_strpad(name, H5T_STR_NULLTERM);
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Particle));
  H5Tinsert(type, "id", HOFFSET(Particle, id), H5T_NATIVE_INT);
  H5Tinsert(type, "position", HOFFSET(Particle, position), position);
  H5Tinsert(type, "name", HOFFSET(Particle, name), name);
  const hid_t packed = H5Tcopy(type);
  H5Tpack(packed);
  const hid_t space = H5Screate_simple(1, &some, NULL);
  const hid_t group = H5Gcreate2(file, "particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 2; i++) {
    const hid_t data =
        H5Dcreate2(group, i ? "packed" : "plain", i ? packed : type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, particles);
    H5Dclose(data);
  }
  printf("%d %d\n", (int)H5Tget_size(type), (int)H5Tget_size(packed));
  H5Tclose(packed), H5Tclose(type), H5Tclose(name), H5Tclose(position), H5Sclose(space), H5Gclose(group);
}

/* Blocks put together, points, nothing at all. */
static void selections(hid_t file) {
  const hsize_t whole[2] = {100, 100}, block[2] = {10, 20}, one[2] = {1, 1};
  const hid_t space = H5Screate_simple(2, whole, NULL);
  const hid_t data = H5Dcreate2(file, "/particles/grid", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t start[2] = {0, 0};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, block);
  start[0] = 5, start[1] = 10; /* they overlap */
  H5Sselect_hyperslab(space, H5S_SELECT_OR, start, NULL, one, block);
  hsize_t many = (hsize_t)H5Sget_select_npoints(space);
  hid_t memory = H5Screate_simple(1, &many, NULL);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  H5Sclose(memory);
  start[0] = 0, start[1] = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, block);
  start[0] = 10; /* side by side: regular again */
  H5Sselect_hyperslab(space, H5S_SELECT_OR, start, NULL, one, block);
  many = (hsize_t)H5Sget_select_npoints(space), memory = H5Screate_simple(1, &many, NULL);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  H5Sclose(memory);
  hsize_t points[8][2];
  for (hsize_t i = 0; i < 8; i++) points[i][0] = 3 * i, points[i][1] = 99 - i;
  H5Sselect_elements(space, H5S_SELECT_SET, 8, &points[0][0]);
  many = 8, memory = H5Screate_simple(1, &many, NULL);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  start[0] = 95; /* beyond the end: refused */
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, block);
  if (H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, space, H5P_DEFAULT, numbers) < 0) puts("refused");
  H5Sselect_none(space), H5Sselect_none(memory);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
  H5Sclose(memory), H5Dclose(data), H5Sclose(space);
}

/* The lite functions, and attributes that say how much is read back. */
static void lite(hid_t file, hsize_t rows) {
  const hsize_t extent[3] = {4, 5, 6};
  int counts[1] = {(int)(rows / 3)}, told = 0;
  static int many[120];
  H5LTmake_dataset_int(file, "/counts", 3, extent, many);
  H5LTmake_dataset_string(file, "note", "made by shapes.c");
  H5LTset_attribute_int(file, "/counts", "some", counts, 1);
  H5LTget_attribute_int(file, "/counts", "some", &told);
  for (int i = 0; i < told; i++) H5LTread_dataset_int(file, "counts", many);
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(file, "version", H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
  told = 3;
  H5Awrite(attribute, H5T_NATIVE_INT, &told), H5Aclose(attribute);
  const hid_t scalar = H5Dcreate2(file, "scalar", H5T_NATIVE_LDOUBLE, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(scalar, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(scalar), H5Sclose(one);
}

static herr_t look(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  (void)info, (void)group;
  *(size_t*)data += strlen(name);
  return 0;
}

int main(int argc, char** argv) {
  const hsize_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 30;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are expected */
  const hid_t file = H5Fcreate("shapes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return 1;
  rows_and_columns(file, rows);
  grows(file, rows);
  types(file);
  selections(file);
  lite(file, rows);
  size_t characters = 0;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, look, &characters);
  H5Fclose(file);
  const hid_t again = H5Fopen("shapes.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t version = H5Aopen(again, "version", H5P_DEFAULT);
  int times = 0;
  H5Aread(version, H5T_NATIVE_INT, &times), H5Aclose(version);
  for (int i = 0; i < times; i++) {
    const hid_t data = H5Dopen2(again, "matrix", H5P_DEFAULT);
    H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, calloc(rows, 512));
    H5Dclose(data);
  }
  if (H5Dopen2(again, "absent", H5P_DEFAULT) < 0 && H5Lexists(again, "matrix", H5P_DEFAULT) > 0)
    printf("%zu\n", characters);
  if (H5Fopen("absent.h5", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0) return 2;
  return H5Fclose(again) < 0;
}
