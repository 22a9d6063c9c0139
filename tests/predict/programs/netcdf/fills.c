/* Which variables are filled, and when: by the mode of the file, by what is said of one of them, before and after more are defined. */
#include <netcdf.h>
#include <stdlib.h>

enum { LENGTH = 3000, NO_FILL = 1, ONE_ELSE = 2, VALUE = 4, HOLES = 8, MORE = 16, MORE_ELSE = 32, ABORT = 64 };

static double values[7 * LENGTH * 3];

int main(int argc, char** argv) {
  const int how = argc > 1 ? atoi(argv[1]) : 0, other = (how & NO_FILL) ? NC_FILL : NC_NOFILL;
  int nc, old, dimensions[2], variables[4], more[2], one = 3;
  size_t start[2] = {0, 0}, count[2] = {1, LENGTH};
  const double value = 7;
  if (nc_create("fills.nc", NC_CLOBBER, &nc)) return 1;
  if (nc_set_fill(nc, (how & NO_FILL) ? NC_NOFILL : NC_FILL, &old)) return 1;
  if (nc_def_dim(nc, "t", NC_UNLIMITED, dimensions) || nc_def_dim(nc, "x", LENGTH, dimensions + 1)) return 1;
  if (nc_def_var(nc, "a", NC_SHORT, 2, dimensions, variables)) return 1;
  if (nc_def_var(nc, "b", NC_DOUBLE, 2, dimensions, variables + 1)) return 1;
  if (nc_def_var(nc, "c", NC_INT, 1, dimensions + 1, variables + 2)) return 1;
  if (nc_def_var(nc, "scalar", NC_INT, 0, NULL, variables + 3)) return 1;
  for (int i = 1; i < 3 && (how & ONE_ELSE); i++)
    if (nc_def_var_fill(nc, variables[i], other != NC_FILL, NULL)) return 1;
  if ((how & VALUE) && nc_def_var_fill(nc, variables[1], 0, &value)) return 1;
  if (nc_enddef(nc)) return 1;
  for (size_t i = 0; i < 5; i++) {
    start[0] = (how & HOLES) ? 3 * i : i;
    if (nc_put_vara_double(nc, variables[1], start, count, values)) return 1;
  }
  if (nc_put_var_int(nc, variables[3], &one) || nc_get_var1_int(nc, variables[3], NULL, &one)) return 1;
  if (nc_get_var_double(nc, variables[1], values)) return 1;
  start[0] = 1, start[1] = 700, count[0] = 2, count[1] = 1500;
  if (nc_get_vara_double(nc, variables[1], start, count, values)) return 1;
  if (how & MORE) {
    if (nc_redef(nc) || nc_def_var(nc, "d", NC_INT, 1, dimensions + 1, more)) return 1;
    if (nc_def_var(nc, "e", NC_INT, 2, dimensions, more + 1)) return 1;
    for (int i = 0; i < 2 && (how & MORE_ELSE); i++)
      if (nc_def_var_fill(nc, more[i], other != NC_FILL, NULL)) return 1;
  }
  if (nc_close(nc) || nc_open("fills.nc", NC_WRITE, &nc)) return 1;
  if (nc_put_vara_double(nc, variables[1], start, count, values)) return 1;
  return (how & ABORT) ? nc_abort(nc) : nc_close(nc);
}
