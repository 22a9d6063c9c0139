// The environment and the standard input decide.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char* times = getenv("CERTAIN_TIMES");
  FILE* out = fopen("times.txt", "w");
  for (int i = 0; i < (times ? atoi(times) : 3); i++) fputs("once more\n", out);
  fclose(out);
  int count = 0;
  double number = 0, sum = 0;
  while (scanf("%lf", &number) == 1) sum += number, count++;
  out = fopen("count.txt", "w");
  for (int i = 0; i < count; i++) fprintf(out, "%d\n", i);
  fprintf(out, "%g\n", sum);
  fclose(out);
  return 0;
}
