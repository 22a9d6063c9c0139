/* Every kind of routine on one variable of 4 x 6 ints: those of a type and those of any type, waited for and not.
 *   routines FOLDER
 * A round of one way moves 96 (var), 4 (var1), 24 (vara, vars, varm each) and 28 (varn) bytes. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

static int nc, v, data[64], requests[64], waiting;
static MPI_Offset start[2] = {0, 1}, count[2] = {2, 3}, stride[2] = {2, 2}, map[2] = {3, 1};
static MPI_Offset corner[2] = {3, 5}, one[2] = {1, 1};
static MPI_Offset *starts[2] = {start, corner}, *counts[2] = {count, one};

static void must(int result) {
  if (result == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(result));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define ROUND(WAY, ALL)                                                              \
  must(ncmpi_##WAY##_var_int##ALL(nc, v, data));                                     \
  must(ncmpi_##WAY##_var##ALL(nc, v, data, 24, MPI_INT));                            \
  must(ncmpi_##WAY##_var1_int##ALL(nc, v, start, data));                             \
  must(ncmpi_##WAY##_var1##ALL(nc, v, start, data, 1, MPI_INT));                     \
  must(ncmpi_##WAY##_vara_int##ALL(nc, v, start, count, data));                      \
  must(ncmpi_##WAY##_vara##ALL(nc, v, start, count, data, 6, MPI_INT));              \
  must(ncmpi_##WAY##_vars_int##ALL(nc, v, start, count, stride, data));              \
  must(ncmpi_##WAY##_vars##ALL(nc, v, start, count, stride, data, 6, MPI_INT));      \
  must(ncmpi_##WAY##_varm_int##ALL(nc, v, start, count, stride, map, data));         \
  must(ncmpi_##WAY##_varm##ALL(nc, v, start, count, stride, map, data, 6, MPI_INT)); \
  must(ncmpi_##WAY##_varn_int##ALL(nc, v, 2, starts, counts, data));                 \
  must(ncmpi_##WAY##_varn##ALL(nc, v, 2, starts, counts, data, 7, MPI_INT))

#define NEXT &requests[waiting++]
#define LATER(WAY)                                                                    \
  must(ncmpi_##WAY##_var_int(nc, v, data, NEXT));                                     \
  must(ncmpi_##WAY##_var(nc, v, data, 24, MPI_INT, NEXT));                            \
  must(ncmpi_##WAY##_var1_int(nc, v, start, data, NEXT));                             \
  must(ncmpi_##WAY##_var1(nc, v, start, data, 1, MPI_INT, NEXT));                     \
  must(ncmpi_##WAY##_vara_int(nc, v, start, count, data, NEXT));                      \
  must(ncmpi_##WAY##_vara(nc, v, start, count, data, 6, MPI_INT, NEXT));              \
  must(ncmpi_##WAY##_vars_int(nc, v, start, count, stride, data, NEXT));              \
  must(ncmpi_##WAY##_vars(nc, v, start, count, stride, data, 6, MPI_INT, NEXT));      \
  must(ncmpi_##WAY##_varm_int(nc, v, start, count, stride, map, data, NEXT));         \
  must(ncmpi_##WAY##_varm(nc, v, start, count, stride, map, data, 6, MPI_INT, NEXT)); \
  must(ncmpi_##WAY##_varn_int(nc, v, 2, starts, counts, data, NEXT));                 \
  must(ncmpi_##WAY##_varn(nc, v, 2, starts, counts, data, 7, MPI_INT, NEXT))

int main(int argc, char** argv) {
  char path[4096];
  int dimensions[2], results[64];
  MPI_Datatype block;
  MPI_Init(&argc, &argv);
  snprintf(path, sizeof path, "%s/all.nc", argv[argc - 1]);
  must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &nc));
  must(ncmpi_def_dim(nc, "x", 4, &dimensions[0]));
  must(ncmpi_def_dim(nc, "y", 6, &dimensions[1]));
  must(ncmpi_def_var(nc, "v", NC_INT, 2, dimensions, &v));
  must(ncmpi_enddef(nc));
  must(ncmpi_redef(nc));
  must(ncmpi__enddef(nc, 0, 4, 0, 4));

  MPI_Type_contiguous(24, MPI_INT, &block);
  MPI_Type_commit(&block);
  ROUND(put, _all);
  must(ncmpi_put_vard_all(nc, v, block, data, 24, MPI_INT));
  ROUND(get, _all);
  must(ncmpi_get_vard_all(nc, v, block, data, 24, MPI_INT));
  LATER(iput);
  must(ncmpi_wait_all(nc, waiting, requests, results));
  waiting = 0;
  LATER(iget);
  must(ncmpi_wait_all(nc, waiting, requests, results));
  waiting = 0;
  must(ncmpi_buffer_attach(nc, 4096));
  LATER(bput);
  must(ncmpi_begin_indep_data(nc));
  must(ncmpi_wait(nc, waiting, requests, results));
  must(ncmpi_buffer_detach(nc));
  ROUND(put, );
  must(ncmpi_put_vard(nc, v, block, data, 24, MPI_INT));
  ROUND(get, );
  must(ncmpi_get_vard(nc, v, block, data, 24, MPI_INT));
  must(ncmpi_end_indep_data(nc));
  must(ncmpi_sync(nc));
  must(ncmpi_close(nc));
  MPI_Type_free(&block);
  MPI_Finalize();
  return 0;
}
