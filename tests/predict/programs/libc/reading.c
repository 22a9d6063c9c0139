#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "say.h"

/* What is read looks the same for a while, and then it does not. */
static void by_lines(const char* name) {
  char line[100], *made = NULL;
  size_t capacity = 0;
  long lines = 0, ones = 0, last = 0, number;
  FILE* file = fopen(name, "r");
  while (fgets(line, sizeof line, file) != NULL) ++lines;
  rewind(file);
  while (getline(&made, &capacity, file) > 0) ones += made[0] == '1';
  rewind(file);
  while (fscanf(file, "%ld", &number) == 1) last += number;
  tell(feof(file) != 0), tell(lines), tell(ones), tell(last);
  fclose(file);
}

static void by_bytes(const char* name) {
  long lines = 0, records = 0;
  int c;
  short two;
  FILE* file = fopen(name, "r");
  while ((c = getc(file)) != EOF) lines += c == '\n';
  rewind(file);
  while (fread(&two, 2, 1, file) == 1) records += two % 256 == '1';
  fclose(file);
  const int descriptor = open(name, O_RDONLY);
  while (read(descriptor, &two, 2) == 2) records += two / 256 == '1';
  close(descriptor);
  tell(lines), tell(records);
}

int main(int argc, char** argv) {
  begin("reading.bin");
  FILE* own = fopen("own.txt", "w");
  for (int i = 0; i < 2000; ++i) fprintf(own, "%d\n", i % 50 == 33);
  fclose(own);
  by_lines("own.txt"), by_bytes("own.txt");
  by_lines(argv[1]), by_bytes(argv[1]);
  /* Too large to be looked at: how much there is is known. */
  FILE* large = fopen(argv[2], "r");
  long bytes = 0;
  while (getc(large) != EOF) ++bytes;
  tell(bytes), fclose(large), fclose(said);
  return 0;
}
