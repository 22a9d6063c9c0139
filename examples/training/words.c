// Text processing: a text is written line by line, then read back, and its characters and words are counted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_text(const char* path, int lines) {
  FILE* file = fopen(path, "w");
  for (int i = 0; i < lines; ++i) fprintf(file, "line %d of a text that is long enough to be read\n", i);
  fclose(file);
}

static long count(const char* path, long* characters) {
  char line[256];
  long words = 0;
  FILE* file = fopen(path, "r");
  while (fgets(line, sizeof line, file)) {
    int inside = 0;
    for (int i = 0; line[i] != '\0'; ++i) {
      const int blank = line[i] == ' ' || line[i] == '\n';
      words += inside && blank;
      inside = !blank;
      ++characters[(unsigned char)line[i]];
    }
  }
  fclose(file);
  return words;
}

static void copy(const char* from, const char* to, int bytes) {
  FILE* in = fopen(from, "r");
  FILE* out = fopen(to, "w");
  for (int i = 0; i < bytes; ++i) fputc(fgetc(in), out);
  fclose(in);
  fclose(out);
}

int main(int argc, char** argv) {
  const int lines = argc > 1 ? atoi(argv[1]) : 1000, bytes = argc > 2 ? atoi(argv[2]) : 1000;
  long characters[256] = {0};
  make_text("text.txt", lines);
  printf("%ld words\n", count("text.txt", characters));
  copy("text.txt", "copy.txt", bytes);
  return 0;
}
