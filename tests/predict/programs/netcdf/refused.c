/* What NetCDF refuses, and with which number: the exit code counts the answers that are not the ones expected. */
#include <netcdf.h>

static int wrong;
static void expect(int got, int wanted) { wrong += got != wanted; }

int main(void) {
  int nc, other, dimension, variable, old;
  size_t position[1] = {3}, few[1] = {1}, length;
  double values[4] = {0};
  expect(nc_create("missing/folder.nc", 0, &nc), 2);
  expect(nc_open("missing.nc", NC_NOWRITE, &nc), 2);
  expect(nc_close(1 << 20), NC_EBADID);
  expect(nc_put_var_double(12345, 0, values), NC_EBADID);
  expect(nc_create("refused.nc", NC_64BIT_DATA | NC_64BIT_OFFSET, &nc), NC_EINVAL);
  expect(nc_create("refused.nc", NC_NOCLOBBER, &nc), NC_NOERR);
  expect(nc_create("refused.nc", NC_NOCLOBBER, &other), NC_EEXIST);
  expect(nc_def_dim(nc, "x", 3, &dimension), NC_NOERR);
  expect(nc_def_dim(nc, "x", 4, &other), NC_ENAMEINUSE);
  expect(nc_def_dim(nc, "t", NC_UNLIMITED, &other), NC_NOERR);
  expect(nc_def_dim(nc, "u", NC_UNLIMITED, &old), NC_EUNLIMIT);
  const int both[2] = {dimension, other}, none[1] = {7};
  expect(nc_def_var(nc, "v", NC_INT, 2, both, &variable), NC_EUNLIMPOS);
  expect(nc_def_var(nc, "v", NC_INT, 1, none, &variable), NC_EBADDIM);
  expect(nc_def_var(nc, "v", NC_INT64, 1, &dimension, &variable), NC_EBADTYPE);
  expect(nc_def_var(nc, "v", NC_INT, 1, &dimension, &variable), NC_NOERR);
  expect(nc_def_var_deflate(nc, variable, 0, 1, 1), NC_ENOTNC4);
  expect(nc_put_var_double(nc, variable, values), NC_EINDEFINE);
  expect(nc_sync(nc), NC_EINDEFINE);
  expect(nc_redef(nc), NC_EINDEFINE);
  expect(nc_set_fill(nc, 77, &old), NC_EINVAL);
  expect(nc_enddef(nc), NC_NOERR);
  expect(nc_enddef(nc), NC_ENOTINDEFINE);
  expect(nc_def_dim(nc, "z", 3, &other), NC_ENOTINDEFINE);
  expect(nc_put_att_text(nc, variable, "a", 1, "x"), NC_ENOTINDEFINE);
  expect(nc_put_var_text(nc, variable, "abc"), NC_ECHAR);
  expect(nc_put_vara_double(nc, variable, position, few, values), NC_EINVALCOORDS);
  position[0] = 2, few[0] = 2;
  expect(nc_put_vara_double(nc, variable, position, few, values), NC_EEDGE);
  expect(nc_put_var_double(nc, 9, values), NC_ENOTVAR);
  expect(nc_inq_varid(nc, "none", &other), NC_ENOTVAR);
  expect(nc_inq_dimid(nc, "none", &other), NC_EBADDIM);
  expect(nc_inq_attlen(nc, variable, "none", &length), NC_ENOTATT);
  expect(nc_close(nc), NC_NOERR);
  expect(nc_close(nc), NC_EBADID);
  expect(nc_open("refused.nc", NC_NOWRITE, &nc), NC_NOERR);
  expect(nc_redef(nc), NC_EPERM);
  expect(nc_put_var_double(nc, variable, values), NC_EPERM);
  expect(nc_set_fill(nc, NC_NOFILL, &old), NC_EPERM);
  expect(nc_close(nc), NC_NOERR);
  return wrong;
}
