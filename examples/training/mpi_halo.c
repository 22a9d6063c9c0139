// A stencil with MPI: rows are exchanged with the neighbours, each rank saves its part into a file of its own.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void exchange(double* grid, int n, int rows, int rank, int ranks) {
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(grid + n, n, MPI_DOUBLE, up, 0, grid + (rows + 1) * n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(grid + rows * n, n, MPI_DOUBLE, down, 1, grid, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void relax(double* grid, double* next, int n, int rows) {
  for (int y = 1; y <= rows; ++y)
    for (int x = 1; x + 1 < n; ++x)
      next[y * n + x] =
          0.25 * (grid[y * n + x - 1] + grid[y * n + x + 1] + grid[(y - 1) * n + x] + grid[(y + 1) * n + x]);
}

static void save(const double* grid, int n, int rows, int rank, int step) {
  char name[64];
  snprintf(name, sizeof name, "part%d-%d.bin", rank, step % 2);
  FILE* file = fopen(name, "wb");
  for (int y = 1; y <= rows; ++y) fwrite(grid + y * n, sizeof(double), n, file);
  fclose(file);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10,
            every = argc > 3 ? atoi(argv[3]) : 5;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rows = n / ranks;
  double* grid = calloc((rows + 2) * n, sizeof(double));
  double* next = calloc((rows + 2) * n, sizeof(double));
  for (int step = 0; step < steps; ++step) {
    exchange(grid, n, rows, rank, ranks);
    relax(grid, next, n, rows);
    relax(next, grid, n, rows);
    if (step % every == every - 1) save(grid, n, rows, rank, step / every);
  }
  MPI_Finalize();
  return 0;
}
