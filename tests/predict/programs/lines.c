// Walks through a text in memory by what it finds there: long stretches look alike, and then something else comes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* slurp(const char* name, size_t* size) {
  FILE* in = fopen(name, "r");
  char* text = malloc(1 << 20);
  *size = fread(text, 1, (1 << 20) - 1, in);
  text[*size] = 0;
  fclose(in);
  return text;
}

static void by_memchr(FILE* out, char* text, size_t size) {
  char *at = text, *begin = text, *end = text + size;
  for (int lines = 0; at < end; lines++) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (!at) break;
    at++;
    if (lines % 10 == 9) fwrite(begin, 1, (size_t)(at - begin), out), begin = at;
  }
}
static void by_strchr(FILE* out, char* text) {
  for (char* next; (next = strchr(text, '\n')); text = next + 1) fwrite(text, 1, (size_t)(next - text), out);
}
static void by_words(FILE* out, char* text) {
  for (char* word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) fwrite(word, 1, strlen(word), out);
}
static void by_spans(FILE* out, char* text) {
  while (*text) {
    size_t digits = strspn(text, "0123456789"), others = strcspn(text + digits, "0123456789");
    if (strncmp(text, "77", 2) == 0) fputs("lucky", out);
    fwrite(text, 1, digits, out);
    text += digits + others;
  }
}

int main(int argc, char** argv) {
  size_t size;
  char* text = slurp("in.txt", &size);
  FILE* out = fopen("out.txt", "w");
  if (!strcmp(argv[1], "memchr")) by_memchr(out, text, size);
  if (!strcmp(argv[1], "strchr")) by_strchr(out, text);
  if (!strcmp(argv[1], "words")) by_words(out, text);
  if (!strcmp(argv[1], "spans")) by_spans(out, text);
  return fclose(out);
}
