// A stencil on a grid that saves a checkpoint every so many steps.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void step(const double* now, double* next, int n) {
  for (int y = 1; y + 1 < n; ++y)
    for (int x = 1; x + 1 < n; ++x)
      next[y * n + x] = 0.25 * (now[y * n + x - 1] + now[y * n + x + 1] + now[(y - 1) * n + x] + now[(y + 1) * n + x]);
}

static void checkpoint(const double* grid, int n, int number, int safe) {
  char name[64];
  snprintf(name, sizeof name, "checkpoint%d.bin", number % 2);
  int file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  for (int y = 0; y < n; ++y) write(file, grid + y * n, n * sizeof(double));
  if (safe) fsync(file);
  close(file);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10;
  const int every = argc > 3 ? atoi(argv[3]) : 5, safe = argc > 4 ? atoi(argv[4]) : 0;
  double* now = calloc(n * n, sizeof(double));
  double* next = calloc(n * n, sizeof(double));
  for (int i = 0; i < n; ++i) now[i] = next[i] = 1;
  for (int s = 0; s < steps; ++s) {
    step(now, next, n);
    double* swap = now;
    now = next;
    next = swap;
    if (s % every == every - 1) checkpoint(now, n, s / every, safe);
  }
  printf("%g\n", now[n + 1]);
  return 0;
}
