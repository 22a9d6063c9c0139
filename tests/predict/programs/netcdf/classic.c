/* Each way to use NetCDF's own functions on classic files, by name: what is defined, written, filled, moved and read again. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20, COLUMNS = 101 };

static float field[ROWS * COLUMNS];
static double grid[ROWS * COLUMNS];
static int nc, record_variable, variable, dimensions[3], steps, format;
static size_t start[3], part[3] = {1, ROWS, COLUMNS};

static void must(int code, int line) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "line %d: %s\n", line, nc_strerror(code));
  exit(1);
}
#define MUST(call) must(call, __LINE__)

static void define(const char* name, int more) {
  const int mode = format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0;
  MUST(nc_create(name, NC_CLOBBER | mode | more, &nc));
  MUST(nc_def_dim(nc, "time", NC_UNLIMITED, &dimensions[0]));
  MUST(nc_def_dim(nc, "y", ROWS, &dimensions[1]));
  MUST(nc_def_dim(nc, "x", COLUMNS, &dimensions[2]));
  MUST(nc_def_var(nc, "field", NC_FLOAT, 3, dimensions, &record_variable));
  MUST(nc_def_var(nc, "grid", NC_DOUBLE, 2, dimensions + 1, &variable));
  const double scale[2] = {0.5, 2};
  MUST(nc_put_att_double(nc, variable, "scale", NC_DOUBLE, 2, scale));
  MUST(nc_put_att_text(nc, NC_GLOBAL, "title", 8, "classic!"));
}

static void write_records(void) {
  for (int step = 0; step < steps; step++) {
    start[0] = (size_t)step;
    MUST(nc_put_vara_float(nc, record_variable, start, part, field));
  }
  start[0] = 0;
}

static void records(void) { /* the usual program: a grid once, a record each step */
  MUST(nc_enddef(nc));
  MUST(nc_put_var_double(nc, variable, grid));
  write_records();
}

static void unfilled(void) {
  int old;
  MUST(nc_set_fill(nc, NC_NOFILL, &old));
  if (old != NC_FILL) exit(1);
  MUST(nc_enddef(nc));
  write_records();
  start[0] = (size_t)steps + 5; /* records between are never written */
  MUST(nc_put_vara_float(nc, record_variable, start, part, field));
  MUST(nc_set_fill(nc, NC_FILL, &old));
  start[0] += 3;
  MUST(nc_put_vara_float(nc, record_variable, start, part, field));
}

static void hole(void) { /* nothing is written where the file must end */
  int old;
  MUST(nc_set_fill(nc, NC_NOFILL, &old));
  MUST(nc_enddef(nc));
}

static void synced(void) {
  MUST(nc_enddef(nc));
  for (int step = 0; step < steps; step++) {
    start[0] = (size_t)step;
    MUST(nc_put_vara_float(nc, record_variable, start, part, field));
    MUST(nc_sync(nc));
    MUST(nc_get_vara_float(nc, record_variable, start, part, field));
  }
}

static void changes(void) { /* data moves because the header, then the variables and records grow */
  MUST(nc_enddef(nc));
  MUST(nc_put_var_double(nc, variable, grid));
  write_records();
  MUST(nc_put_att_text(nc, NC_GLOBAL, "title", 5, "short"));
  MUST(nc_sync(nc));
  MUST(nc_redef(nc));
  MUST(nc_put_att_text(nc, NC_GLOBAL, "history", 11, "was changed"));
  MUST(nc_enddef(nc));
  int more[3];
  MUST(nc_redef(nc));
  MUST(nc_def_var(nc, "fixed", NC_SHORT, 1, dimensions + 2, &more[0]));
  MUST(nc_def_var(nc, "each", NC_INT, 2, dimensions, &more[1]));
  MUST(nc__enddef(nc, 1000, 256, 100, 512));
  MUST(nc_redef(nc));
  MUST(nc_def_var(nc, "last", NC_BYTE, 1, dimensions, &more[2]));
  MUST(nc_enddef(nc));
  signed char byte = 1;
  const size_t position[1] = {(size_t)steps + 1};
  MUST(nc_put_var1_schar(nc, more[2], position, &byte));
}

static void strides(void) {
  MUST(nc_enddef(nc));
  const size_t few[2] = {7, 30}, from[2] = {2, 5};
  const ptrdiff_t by[2] = {2, 3}, map[2] = {1, 7}, rows[2] = {30, 1};
  MUST(nc_put_vars_double(nc, variable, from, few, by, grid));
  MUST(nc_get_vars_double(nc, variable, from, few, by, grid));
  MUST(nc_put_varm_double(nc, variable, from, few, NULL, map, grid));
  MUST(nc_get_varm_double(nc, variable, from, few, NULL, rows, grid));
  MUST(nc_get_vara_double(nc, variable, from, few, grid));
  MUST(nc_get_var1_double(nc, variable, from, grid));
  MUST(nc_put_vara(nc, variable, from, few, grid));
}

static void elements(void) { /* one by one: most of them are in the buffer */
  MUST(nc_enddef(nc));
  for (int step = 0; step < steps; step++) {
    const size_t position[3] = {(size_t)step / ROWS, (size_t)step % ROWS, (size_t)step % COLUMNS};
    MUST(nc_put_var1_float(nc, record_variable, position, field));
  }
}

static void header(void) { /* longer than the buffer's block */
  char name[32], text[300];
  memset(text, 'x', sizeof text);
  for (int i = 0; i < steps; i++) {
    int one;
    snprintf(name, sizeof name, "variable_%d", i);
    MUST(nc_def_var(nc, name, i % 2 ? NC_INT : NC_SHORT, 1, dimensions + i % 2, &one));
    MUST(nc_put_att_text(nc, one, "units", (size_t)(i % 300), text));
  }
  MUST(nc_enddef(nc));
  write_records();
}

static void alone(const char* name) { /* the only variable with records: they are not padded */
  int one;
  const int mode = format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0;
  MUST(nc_create(name, mode, &nc));
  MUST(nc_def_dim(nc, "time", NC_UNLIMITED, dimensions));
  MUST(nc_def_var(nc, "bytes", NC_BYTE, 1, dimensions, &one));
  MUST(nc_enddef(nc));
  signed char bytes[7] = {0};
  const size_t seven[1] = {7};
  for (int step = 0; step < steps; step++) {
    const size_t position[1] = {(size_t)step * 5};
    MUST(nc_put_vara_schar(nc, one, position, seven, bytes));
  }
  MUST(nc_close(nc));
}

static void read_again(const char* name) {
  MUST(nc_open(name, NC_NOWRITE, &nc));
  int id, number, of[3], unlimited;
  size_t length, records;
  double scale[2];
  MUST(nc_inq_varid(nc, "grid", &id));
  MUST(nc_inq_varndims(nc, id, &number));
  MUST(nc_inq_vardimid(nc, id, of));
  MUST(nc_inq_dimlen(nc, of[0], &length));
  MUST(nc_inq_unlimdim(nc, &unlimited));
  MUST(nc_inq_dimlen(nc, unlimited, &records));
  MUST(nc_get_att_double(nc, id, "scale", scale));
  part[1] = length;
  for (int i = 0; i < number * (int)scale[1]; i++) MUST(nc_get_vara_double(nc, id, start + 1, part + 1, grid));
  MUST(nc_inq_varid(nc, "field", &id));
  for (size_t i = records; i > 0; i--) {
    start[0] = i - 1;
    MUST(nc_get_vara_float(nc, id, start, part, field));
  }
  MUST(nc_sync(nc));
  MUST(nc_get_var_float(nc, id, malloc(sizeof(float) * ROWS * COLUMNS * (records + 1))));
  MUST(nc_close(nc));
}

static void write_again(const char* name) {
  MUST(nc_open(name, NC_WRITE, &nc));
  MUST(nc_inq_varid(nc, "field", &record_variable));
  start[0] = 1;
  MUST(nc_put_vara_float(nc, record_variable, start, part, field));
  MUST(nc_close(nc));
}

int main(int argc, char** argv) {
  const char* way = argv[1];
  steps = argc > 2 ? atoi(argv[2]) : 3;
  format = argc > 3 ? atoi(argv[3]) : 1;
  if (strcmp(way, "alone") == 0) return alone("classic.nc"), 0;
  define("classic.nc", strcmp(way, "shared") == 0 ? NC_SHARE : 0);
  if (strcmp(way, "aborted") == 0) {
    MUST(nc_abort(nc));
    return nc_open("classic.nc", NC_NOWRITE, &nc) == NC_NOERR;
  }
  if (strcmp(way, "records") == 0 || strcmp(way, "shared") == 0) records();
  if (strcmp(way, "unfilled") == 0) unfilled();
  if (strcmp(way, "hole") == 0) hole();
  if (strcmp(way, "synced") == 0) synced();
  if (strcmp(way, "changes") == 0) changes();
  if (strcmp(way, "strides") == 0) strides();
  if (strcmp(way, "elements") == 0) elements();
  if (strcmp(way, "header") == 0) header();
  MUST(nc_close(nc)); /* of "undefined", which ends its definitions */
  read_again("classic.nc");
  write_again("classic.nc");
  return 0;
}
