// Internal sorting: an array is sorted in memory by a sort of its own, then saved as text.
#include <stdio.h>
#include <stdlib.h>

static void fill(int* numbers, int count) {
  unsigned seed = 7;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    numbers[i] = (int)(seed >> 8);
  }
}

// Odd-even transposition: always the same comparisons, whatever the numbers.
static void sort(int* numbers, int count, int passes) {
  for (int pass = 0; pass < passes; ++pass)
    for (int i = pass & 1; i + 1 < count; i += 2) {
      const int a = numbers[i], b = numbers[i + 1];
      numbers[i] = a < b ? a : b;
      numbers[i + 1] = a < b ? b : a;
    }
}

static void save(const int* numbers, int count, int lines) {
  FILE* file = fopen("sorted.txt", "w");
  for (int i = 0; i < lines; ++i) fprintf(file, "%d\n", numbers[i % count]);
  fclose(file);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 10000, passes = argc > 2 ? atoi(argv[2]) : 100;
  const int lines = argc > 3 ? atoi(argv[3]) : count;
  int* numbers = malloc(count * sizeof(int));
  fill(numbers, count);
  sort(numbers, count, passes);
  save(numbers, count, lines);
  free(numbers);
  return 0;
}
