/* Numbers of files and variables come again, and belong to others then.
 *   numbers FOLDER */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

static void must(int result) {
  if (result == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(result));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int make(const char* folder, const char* file, const char* variable, int* v) {
  char path[4096];
  int nc, dimensions[2];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &nc));
  must(ncmpi_def_dim(nc, "t", NC_UNLIMITED, &dimensions[0]));
  must(ncmpi_def_dim(nc, "x", 10, &dimensions[1]));
  must(ncmpi_def_var(nc, variable, NC_DOUBLE, 2, dimensions, v));
  must(ncmpi_enddef(nc));
  return nc;
}

int main(int argc, char** argv) {
  const char* folder = argv[argc - 1];
  double data[40] = {0};
  MPI_Offset at[2] = {2, 0}, size[2] = {1, 10};
  char path[4096];
  int first, second, one, two, request = 7777, result;
  MPI_Init(&argc, &argv);

  /* Two files at once, whose variables have the same number. */
  first = make(folder, "first.nc", "a", &one);
  second = make(folder, "second.nc", "b", &two);
  must(ncmpi_put_vara_double_all(first, one, at, size, data)); /* three records now */
  must(ncmpi_put_vara_double_all(second, two, at, size, data));
  must(ncmpi_put_vara_double_all(second, two, at, size, data));
  must(ncmpi_get_var_double_all(first, one, data)); /* 3 records of 10 */
  if (ncmpi_wait_all(first, 1, &request, &result) == NC_NOERR && result == NC_NOERR) return 1;
  must(ncmpi_close(second));
  must(ncmpi_close(first));

  /* The file's number again, and a variable that nobody has asked for by its name. */
  snprintf(path, sizeof path, "%s/second.nc", folder);
  must(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &second));
  must(ncmpi_get_vara_double_all(second, 0, at, size, data));
  must(ncmpi_close(second));
  snprintf(path, sizeof path, "%s/none.nc", folder);
  if (ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &second) == NC_NOERR) return 1;
  if (ncmpi_put_vara_double_all(99, 0, at, size, data) == NC_NOERR) return 1;
  MPI_Finalize();
  return 0;
}
