// A loop writes what a later iteration of it looks at.
#include <stdio.h>
#include <string.h>

static unsigned char marks[1000], ahead[1000], sieve[2000];
static int links[500];

static void put(const char* name, long times) {
  FILE* out = fopen(name, "w");
  for (long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}

int main(void) {
  int i = 0;
  for (i = 0; i < 1000 && marks[500] == 0; i++) marks[i] = 1;
  put("fixed", i);
  for (i = 0; i < 900 && ahead[i] == 0; i++) ahead[i + 100] = 1;
  put("ahead", i);
  int primes = 0;
  for (i = 2; i < 2000; i++) {
    if (sieve[i]) continue;
    primes++;
    for (int k = 2 * i; k < 2000; k += i) sieve[k] = 1;
  }
  put("primes", primes);
  for (i = 0; i < 500; i++) links[i] = (i * 7 + 3) % 500;
  int at = 0, seen = 0;
  do at = links[at], seen++;
  while (at != 0 && seen < 5000);
  put("links", seen);
  char text[200];
  memset(text, '-', sizeof text);
  for (i = 0; i < 150; i++) {
    if (text[i] == '#') break;
    if (i >= 20) text[i + 40] = '#';
  }
  put("text", i);
  unsigned state = 12345, heads = 0;
  for (i = 0; i < 3000; i++) {
    state = state * 1103515245u + 12345u;
    heads += (state >> 16 & 7) == 0;
  }
  put("heads", heads);
  return 0;
}
