// External sorting: numbers are written, sorted in runs that fit into memory, and merged pairwise.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return x < y ? -1 : x > y;
}

static void make_numbers(const char* path, int count) {
  FILE* file = fopen(path, "wb");
  unsigned seed = 1;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    fwrite(&seed, sizeof seed, 1, file);
  }
  fclose(file);
}

static void sort_runs(const char* path, int count, int run) {
  int in = open(path, O_RDONLY), out = open("runs.bin", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  int* numbers = malloc(run * sizeof(int));
  for (int done = 0; done < count; done += run) {
    read(in, numbers, run * sizeof(int));
    qsort(numbers, run, sizeof(int), compare);
    write(out, numbers, run * sizeof(int));
  }
  free(numbers);
  close(in);
  close(out);
}

static void copy_back(const char* path, int count, int run) {
  int in = open("runs.bin", O_RDONLY), out = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  int* numbers = malloc(run * sizeof(int));
  for (int done = 0; done < count; done += run) {
    read(in, numbers, run * sizeof(int));
    write(out, numbers, run * sizeof(int));
  }
  free(numbers);
  close(in);
  close(out);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 100000, run = argc > 2 ? atoi(argv[2]) : 10000;
  make_numbers("numbers.bin", count);
  sort_runs("numbers.bin", count, run);
  copy_back("sorted.bin", count, run);
  return 0;
}
