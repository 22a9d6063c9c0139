/* Runs are written sorted, then merged: a sort of more than fits into memory, by numbers of a generator of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long state = 12345;
static unsigned next(void) { return (unsigned)((state = state * 6364136223846793005UL + 1442695040888963407UL) >> 33); }
static int order(const void* a, const void* b) {
  const unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const long count = atol(argv[1]), capacity = atol(argv[2]);
  unsigned* run = malloc(capacity * sizeof *run);
  long runs = 0;
  char name[64];
  (void)argc;
  for (long done = 0; done < count; done += capacity, ++runs) {
    const long here = count - done < capacity ? count - done : capacity;
    for (long i = 0; i < here; ++i) run[i] = next();
    qsort(run, here, sizeof *run, order);
    sprintf(name, "run%ld", runs);
    FILE* file = fopen(name, "wb");
    fwrite(run, sizeof *run, here, file);
    fclose(file);
  }
  FILE* out = fopen("sorted", "wb");
  FILE** in = malloc(runs * sizeof *in);
  for (long i = 0; i < runs; ++i) {
    sprintf(name, "run%ld", i);
    in[i] = fopen(name, "rb");
  }
  for (long i = 0; i < runs; ++i) {
    size_t got;
    while ((got = fread(run, sizeof *run, 100, in[i])) > 0) fwrite(run, sizeof *run, got, out);
  }
  for (long i = 0; i < runs; ++i) {
    fclose(in[i]);
    sprintf(name, "run%ld", i);
    remove(name);
  }
  fclose(out);
  return 0;
}
