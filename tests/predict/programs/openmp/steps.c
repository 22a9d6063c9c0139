// Steps that all threads do together: each waits for the others twice in a step.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  char* field = calloc(1, 1000);
  int out = open("steps.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
#pragma omp parallel
  for (int step = 0; step < steps; ++step) {
#pragma omp for
    for (int i = 0; i < 1000; ++i) ++field[i];
#pragma omp single
    pwrite(out, field, 100 + field[999] % 7, step * 100L);
  }
  close(out);
  free(field);
  return 0;
}
