/* A NetCDF-4 file, which is HDF5's, beside a classic one. */
#include <netcdf.h>
#include <stdio.h>

int main(void) {
  int nc, dimension, variable, classic;
  static double values[1000];
  nc_create("classic.nc", NC_CLOBBER, &classic);
  nc_def_dim(classic, "x", 1000, &dimension);
  nc_def_var(classic, "v", NC_DOUBLE, 1, &dimension, &variable);
  nc_enddef(classic);
  nc_put_var_double(classic, variable, values);
  nc_close(classic);
  nc_create("four.nc", NC_CLOBBER | NC_NETCDF4, &nc);
  nc_def_dim(nc, "x", 1000, &dimension);
  nc_def_var(nc, "v", NC_DOUBLE, 1, &dimension, &variable);
  nc_put_var_double(nc, variable, values);
  nc_close(nc);
  return 0;
}
