// CPU benchmark: multiplication of matrices, a sieve and mathematics; a line of results after each round.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double multiply(const double* a, const double* b, double* c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  return c[0];
}

static int crossed(char* sieve, int n) {
  int count = 0;
  memset(sieve, 0, n);
  for (int step = 2; step < 200; ++step)
    for (int i = 2 * step; i < n; i += step) sieve[i] = 1;
  for (int i = 2; i < n; ++i) count += sieve[i];
  return count;
}

static double curves(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += sin(0.001 * i) * exp(-0.0001 * i);
  return sum;
}

static void report(FILE* file, int round, double a, int b, double c) {
  fprintf(file, "%d %g %d %g\n", round, a, b, c);
  fflush(file);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 64, rounds = argc > 2 ? atoi(argv[2]) : 2,
            pages = argc > 3 ? atoi(argv[3]) : 1;
  double* matrices = malloc(3 * n * n * sizeof(double));
  char* sieve = malloc(100 * n);
  FILE* file = fopen("results.txt", "w");
  for (int i = 0; i < 3 * n * n; ++i) matrices[i] = 0.5;
  for (int round = 0; round < rounds; ++round) {
    const double a = multiply(matrices, matrices + n * n, matrices + 2 * n * n, n);
    const int b = crossed(sieve, 100 * n);
    const double c = curves(10 * n);
    for (int p = 0; p < pages; ++p) report(file, round, a, b, c);
  }
  fclose(file);
  return 0;
}
