/* Each way to use PnetCDF, by name: who writes, when, together or alone, now or later. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 10, COLUMNS = 101 };

static float field[ROWS * COLUMNS];
static double grid[ROWS * COLUMNS * 16];
static int nc, record_variable, variable, dimensions[3], rank, ranks, steps;
static MPI_Offset start[3], part[3] = {1, ROWS, COLUMNS};

static void must(int code, int line) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "line %d: %s\n", line, ncmpi_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) must(call, __LINE__)

static void together(void) {
  MUST(ncmpi_put_vara_double_all(nc, variable, start + 1, part + 1, grid));
  for (int step = 0; step < steps; step++) {
    start[0] = step;
    MUST(ncmpi_put_vara_float_all(nc, record_variable, start, part, field));
  }
  start[0] = 0;
  MUST(ncmpi_get_vara_float_all(nc, record_variable, start, part, field));
  MUST(ncmpi_put_vara_float_all(nc, record_variable, start, part, field));
}

static void alone(void) {
  for (int round = 0; round < 2; round++) {
    MUST(ncmpi_begin_indep_data(nc));
    for (int step = 0; step < steps; step++) {
      start[0] = step;
      MUST(ncmpi_put_vara_float(nc, record_variable, start, part, field));
    }
    if (rank == 0) MUST(ncmpi_get_vara_double(nc, variable, start + 1, part + 1, grid));
    const MPI_Offset nothing[2] = {0, 0}, one[2] = {rank, 3};
    MUST(ncmpi_put_vara_double(nc, variable, start + 1, nothing, grid));
    MUST(ncmpi_put_var1_double(nc, variable, one, grid));
    MUST(ncmpi_end_indep_data(nc));
  }
}

static void later(void) {
  int* requests = malloc(sizeof(int) * (size_t)(steps + 2));
  int* statuses = malloc(sizeof(int) * (size_t)(steps + 2));
  MUST(ncmpi_iput_vara_double(nc, variable, start + 1, part + 1, grid, &requests[0]));
  MUST(ncmpi_iget_vara_double(nc, variable, start + 1, part + 1, grid, &requests[1]));
  MUST(ncmpi_wait_all(nc, 2, requests, statuses));
  for (int step = 0; step < steps; step++) {
    start[0] = step;
    MUST(ncmpi_iput_vara_float(nc, record_variable, start, part, field, &requests[step]));
  }
  MUST(ncmpi_wait_all(nc, steps, requests, statuses));
  MUST(ncmpi_wait_all(nc, 0, NULL, NULL));
  MUST(ncmpi_buffer_attach(nc, 1 << 20));
  for (int step = 0; step < 3; step++) {
    start[0] = steps + step;
    MUST(ncmpi_bput_vara_float(nc, record_variable, start, part, field, NULL));
  }
  MUST(ncmpi_wait_all(nc, NC_REQ_ALL, NULL, NULL));
  MUST(ncmpi_buffer_detach(nc));
  free(requests), free(statuses);
}

static void some(void) { /* not all ranks have something to write */
  part[1] = rank == 0 ? ROWS : 0;
  MUST(ncmpi_put_vara_double_all(nc, variable, start + 1, part + 1, grid));
  MUST(ncmpi_get_vara_double_all(nc, variable, start + 1, part + 1, grid));
  const MPI_Offset strides[2] = {2, 3}, few[2] = {5, 20};
  MUST(ncmpi_put_vars_double_all(nc, variable, start + 1, few, strides, grid));
  MUST(ncmpi_put_var_double_all(nc, variable, grid));
  MUST(ncmpi_put_vara_all(nc, variable, start + 1, few, grid, 100, MPI_DOUBLE));
}

static void changes(void) {
  MUST(ncmpi_put_vara_double_all(nc, variable, start + 1, part + 1, grid));
  MUST(ncmpi_sync(nc));
  MUST(ncmpi_redef(nc));
  MUST(ncmpi_put_att_text(nc, variable, "units", 6, "metres"));
  MUST(ncmpi_enddef(nc));
  MUST(ncmpi_put_att_text(nc, variable, "units", 6, "meters"));
  MUST(ncmpi_begin_indep_data(nc));
  MUST(ncmpi_put_vara_float(nc, record_variable, start, part, field));
  MUST(ncmpi_sync(nc));
  MUST(ncmpi_end_indep_data(nc));
  MUST(ncmpi_sync(nc));
}

static void define(const char* name, int mode) {
  MUST(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER | mode, MPI_INFO_NULL, &nc));
  MUST(ncmpi_def_dim(nc, "time", NC_UNLIMITED, &dimensions[0]));
  MUST(ncmpi_def_dim(nc, "y", (MPI_Offset)ROWS * ranks, &dimensions[1]));
  MUST(ncmpi_def_dim(nc, "x", COLUMNS, &dimensions[2]));
  MUST(ncmpi_def_var(nc, "field", NC_FLOAT, 3, dimensions, &record_variable));
  MUST(ncmpi_def_var(nc, "grid", NC_SHORT, 2, dimensions + 1, &variable));
  const double scale[2] = {0.5, 2};
  MUST(ncmpi_put_att_double(nc, variable, "scale", NC_DOUBLE, 2, scale));
  MUST(ncmpi_put_att_text(nc, NC_GLOBAL, "title", 5, "ways!"));
}

static void read_again(const char* name) {
  MUST(ncmpi_open(MPI_COMM_WORLD, name, NC_NOWRITE, MPI_INFO_NULL, &nc));
  int id, number, of[3];
  MPI_Offset length;
  double scale[2];
  MUST(ncmpi_inq_varid(nc, "grid", &id));
  MUST(ncmpi_inq_varndims(nc, id, &number));
  MUST(ncmpi_inq_vardimid(nc, id, of));
  MUST(ncmpi_inq_dimlen(nc, of[0], &length));
  MUST(ncmpi_get_att_double(nc, id, "scale", scale));
  part[1] = length / ranks;
  for (int i = 0; i < number * (int)scale[1]; i++) MUST(ncmpi_get_vara_double_all(nc, id, start + 1, part + 1, grid));
  MUST(ncmpi_close(nc));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* way = argv[1];
  steps = argc > 2 ? atoi(argv[2]) : 3;
  const int format = argc > 3 ? atoi(argv[3]) : 1;
  start[1] = (MPI_Offset)ROWS * rank;
  define("ways.nc", format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0);
  if (strcmp(way, "undefined") != 0) MUST(ncmpi_enddef(nc));
  if (strcmp(way, "together") == 0) together();
  if (strcmp(way, "alone") == 0) alone();
  if (strcmp(way, "later") == 0) later();
  if (strcmp(way, "some") == 0) some();
  if (strcmp(way, "changes") == 0) changes();
  MUST(ncmpi_close(nc));
  read_again("ways.nc");
  MPI_Finalize();
  return 0;
}
