/* A checksum that wraps round every few lines, and bytes that depend on what became of it: wrapping LINES */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t line(FILE* out, uint32_t number) {
  fputs("a line of some length\n", out);
  return number * 2654435761U;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const long lines = atol(argv[1]);
  FILE* out = fopen("lines", "w");
  if (out == NULL) return 1;
  uint32_t sum = 0;
  for (long i = 0; i < lines; ++i) sum += line(out, 77);
  for (uint32_t i = 0; i < sum % 61; ++i) fputc('.', out);
  return fclose(out);
}
