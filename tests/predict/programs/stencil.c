/* A stencil on a grid that reads its settings from a file and writes checkpoints and a log of its steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows = 100, columns = 100, steps = 10, every = 5;
static char prefix[100] = "state";

static void read_settings(const char* path) {
  char line[200], name[100], value[100];
  FILE* file = fopen(path, "r");
  if (file == NULL) return;
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#' || sscanf(line, " %99[a-z] = %99s", name, value) != 2) {
      char* equals = strchr(line, '=');
      if (line[0] == '#' || equals == NULL) continue;
      *equals = 0;
      if (sscanf(line, "%99s", name) != 1 || sscanf(equals + 1, "%99s", value) != 1) continue;
    }
    if (strcmp(name, "rows") == 0) rows = atoi(value);
    else if (strcmp(name, "columns") == 0) columns = atoi(value);
    else if (strcmp(name, "steps") == 0) steps = atoi(value);
    else if (strcmp(name, "every") == 0) every = atoi(value);
    else if (strcmp(name, "prefix") == 0) strcpy(prefix, value);
  }
  fclose(file);
}

static void checkpoint(const double* grid, int step) {
  char name[200];
  snprintf(name, sizeof name, "%s.%04d", prefix, step);
  FILE* file = fopen(name, "wb");
  fwrite(&rows, sizeof rows, 1, file);
  fwrite(&columns, sizeof columns, 1, file);
  for (int row = 0; row < rows; ++row) fwrite(grid + (size_t)row * columns, sizeof *grid, columns, file);
  fclose(file);
}

int main(int argc, char** argv) {
  if (argc > 1) read_settings(argv[1]);
  double* grid = calloc((size_t)rows * columns, sizeof *grid);
  double* next = calloc((size_t)rows * columns, sizeof *next);
  FILE* log = fopen("steps.log", "w");
  grid[columns + 1] = 1000;
  for (int step = 1; step <= steps; ++step) {
    for (int r = 1; r < rows - 1; ++r)
      for (int c = 1; c < columns - 1; ++c) {
        const double* at = grid + (size_t)r * columns + c;
        next[(size_t)r * columns + c] = 0.2 * (at[0] + at[-1] + at[1] + at[-columns] + at[columns]);
      }
    double* swap = grid;
    grid = next, next = swap;
    fprintf(log, "step %d done\n", step);
    if (step % every == 0) {
      checkpoint(grid, step);
      fflush(log);
    }
  }
  fclose(log);
  return 0;
}
