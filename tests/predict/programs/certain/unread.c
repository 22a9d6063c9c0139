// Lines and words of an input that is large: how many there are says how much is written. argv[1]: how it is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count(FILE* in, char how) {
  char line[512], *more = NULL;
  size_t size = 0;
  long n = 0;
  int number;
  if (how == 'g')
    while (fgets(line, sizeof line, in)) n++;
  else if (how == 'l')
    while (getline(&more, &size, in) > 0) n++;
  else
    while (fscanf(in, "%d,%511s", &number, line) == 2) n++;
  free(more);
  return n;
}

int main(int argc, char** argv) {
  FILE *in = fopen("large.csv", "r"), *out = fopen("lines.txt", "w");
  if (in == NULL || out == NULL || argc < 2) return 1;
  long n = count(in, argv[1][0]);
  fprintf(out, "%ld\n", n);
  for (long i = 0; i < n; i += 1000) fprintf(out, "%ld\n", i);
  fclose(out);
  fclose(in);
  return 0;
}
