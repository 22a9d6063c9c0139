// As many lines as half a hundredth of a second is enough for: nobody knows before how many that is.
#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
  FILE* sure = fopen("sure.txt", "w");
  for (int i = 0; i < 100; i++) fputs("a line\n", sure);
  fclose(sure);
  FILE* out = fopen("timed.txt", "w");
  const double begin = seconds();
  long lines = 0;
  volatile double sum = 0;
  do {
    sum += lines;
    fprintf(out, "%ld\n", ++lines);
  } while (seconds() - begin < 0.005);
  fclose(out);
  FILE* count = fopen("count.txt", "w");
  for (long i = 0; i < lines; i++) fputc('x', count);
  fclose(count);
  return 0;
}
