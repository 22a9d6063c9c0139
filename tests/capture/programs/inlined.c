/* getc_unlocked and putc_unlocked as the compiler puts them into the program: seen a buffer at a time. */
#define _GNU_SOURCE
#include "tell.h"

enum { kBytes = 100000 };

int main(void) {
  long sum = 0, count = 0;
  int c;
  FILE* f = fopen("inlined.bin", "w");
  for (int i = 0; i < kBytes; ++i) putc_unlocked(i & 127, f);
  fclose(f);
  did("inlined.bin", "STDIO_BYTES_WRITTEN", kBytes);
  f = fopen("inlined.bin", "r");
  while ((c = getc_unlocked(f)) != EOF) sum += c, ++count;
  MUST(count == kBytes && sum > 0);
  did("inlined.bin", "STDIO_BYTES_READ", kBytes), did("inlined.bin", "STDIO_OPENS", 2);
  fclose(f);
  tell();
  return 0;
}
