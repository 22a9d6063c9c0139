/* The shape of the published example: a loop that writes or reads, a checkpoint in ten parts, a sort that may be saved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void checkpoint(const double* data, long count) {
  FILE* file = fopen("file2.dat", "wb");
  for (int part = 0; part < 10; ++part) fwrite(data + part * (count / 10), sizeof *data, (size_t)(count / 10), file);
  fclose(file);
}

static int order(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void sort_temp(double* data, long count, int save) {
  qsort(data, (size_t)count, sizeof *data, order);
  if (save) {
    FILE* file = fopen("file3.dat", "wb");
    fwrite(data, sizeof *data, (size_t)count, file);
    fclose(file);
  }
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const long count = atol(argv[1]), steps = atol(argv[2]);
  double* data = calloc((size_t)count, sizeof *data);
  FILE* file = fopen("file.dat", "w+b");
  for (long step = 0; step < steps; ++step) {
    if (step % 2 == 0) {
      fwrite(data, sizeof *data, (size_t)count, file);
    } else {
      fseek(file, -count * (long)sizeof *data, SEEK_CUR);
      fread(data, sizeof *data, (size_t)count, file);
    }
  }
  fclose(file);
  checkpoint(data, count);
  sort_temp(data, count, argc > 3 && strcmp(argv[3], "save") == 0);
  free(data);
  return 0;
}
