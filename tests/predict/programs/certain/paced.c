// A line whenever some time has passed.
#include <stdio.h>
#include <sys/time.h>

static double seconds(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

int main(void) {
  FILE* out = fopen("paced.txt", "w");
  double next = seconds() + 0.002;
  volatile double sum = 0;
  for (int step = 0; step < 50; step++) {
    for (int k = 0; k < 100000; k++) sum += k;
    if (seconds() > next) {
      fprintf(out, "step %d\n", step);
      fflush(out);
      next += 0.002;
    }
  }
  fclose(out);
  return 0;
}
