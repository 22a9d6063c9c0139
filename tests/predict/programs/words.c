/* Text in, text out: lines are read, changed and counted. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  char line[4096];
  long lines = 0, words = 0;
  FILE* in = fopen(argv[1], "r");
  FILE* out = fopen(argv[2], "w");
  if (argc < 3 || in == NULL || out == NULL) return 1;
  while (fgets(line, sizeof line, in) != NULL) {
    int inside = 0;
    for (char* c = line; *c != 0; ++c) {
      if (isspace((unsigned char)*c)) inside = 0;
      else if (!inside) inside = 1, ++words;
      *c = (char)toupper((unsigned char)*c);
    }
    fputs(line, out);
    ++lines;
  }
  fprintf(out, "%ld lines, %ld words\n", lines, words);
  fclose(in);
  fclose(out);
  return 0;
}
