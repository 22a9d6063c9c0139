// Sums that are rounded, products, and how often they pass a limit.
#include <math.h>
#include <stdio.h>

static double a[30][30], b[30][30], c[30][30];

static void put(const char* name, long times) {
  FILE* out = fopen(name, "w");
  for (long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}

int main(void) {
  for (int x = 0; x < 30; x++)
    for (int y = 0; y < 30; y++) a[x][y] = x - y, b[x][y] = x * y % 7;
  for (int x = 0; x < 30; x++)
    for (int y = 0; y < 30; y++) {
      double sum = 0;
      for (int z = 0; z < 30; z++) sum += a[x][z] * b[z][y];
      c[x][y] = sum;
    }
  int large = 0, many = 0;
  double trace = 0;
  for (int x = 0; x < 30; x++)
    for (int y = 0; y < 30; y++) large += c[x][y] > 300, many += b[x][y] > 3;
  for (int x = 0; x < 30; x++) trace += c[x][x];
  put("large", large);
  put("many", many);
  FILE* out = fopen("trace", "w");
  fprintf(out, "%.17g\n", trace);
  fclose(out);
  long steps = 0, outputs = 0;
  double next = 0;
  for (double t = 0; t < 1000; t += 0.1) {
    steps++;
    if (t >= next) outputs++, next += 2.5;
  }
  put("steps", steps);
  put("outputs", outputs);
  float single = 0;
  int rounds = 0;
  while (single < 100) single += 0.1f, rounds++;
  put("rounds", rounds);
  double power = 1;
  int halvings = 0;
  while (power > 1e-12) power *= 0.9, halvings++;
  put("halvings", halvings);
  int waves = 0;
  for (int i = 0; i < 500; i++) waves += sin(0.1 * i) > 0.5;
  put("waves", waves);
  return 0;
}
