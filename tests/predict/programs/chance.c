/* Numbers of a random generator with a seed, sorting, bytes that are put back: all of it decides what is written. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  char text[24];
};

static int by_key(const void* a, const void* b) {
  const struct item *one = a, *other = b;
  return one->key < other->key ? -1 : one->key > other->key;
}

/* Words of a file, a byte too much read at the end of each. */
static int words(const char* name, long* characters) {
  FILE* in = fopen(name, "r");
  int c, count = 0;
  if (in == NULL) return 0;
  while ((c = fgetc(in)) != EOF) {
    if (!isalpha(c)) continue;
    ungetc(c, in);
    while ((c = fgetc(in)) != EOF && isalpha(c)) ++*characters;
    if (c != EOF) ungetc(c, in);
    ++count;
  }
  fclose(in);
  return count;
}

int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  struct item* items = malloc(sizeof *items * (size_t)n);
  long characters = 0;
  FILE* out = fopen("sorted.txt", "w");
  srand((unsigned)atoi(argv[2]));
  srand48(3);
  for (int i = 0; i < n; i++) {
    items[i].key = rand() % 1000;
    snprintf(items[i].text, sizeof items[i].text, "%d-%.3f", i, drand48());
  }
  qsort(items, (size_t)n, sizeof *items, by_key);
  for (int i = 0; i < n && items[i].key < 900; i++) fprintf(out, "%d %s\n", items[i].key, items[i].text);
  if (argc > 3) fprintf(out, "%d words", words(argv[3], &characters));
  for (long i = 0; i < characters; i++) fputc('.', out);
  fclose(out);
  return 0;
}
