// I/O benchmark: many small files are made, looked at, renamed and removed.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_files(int count, const char* text, int bytes) {
  char name[64];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "file%d", i);
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    write(file, text, bytes);
    close(file);
  }
}

static long look_at_files(int count) {
  char name[64];
  struct stat told;
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "file%d", i);
    stat(name, &told);
    sum += told.st_size;
  }
  return sum;
}

static void remove_files(int count) {
  char name[64];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "file%d", i);
    unlink(name);
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 100, bytes = argc > 2 ? atoi(argv[2]) : 100;
  char* text = calloc(1, bytes);
  make_files(count, text, bytes);
  printf("%ld\n", look_at_files(count));
  remove_files(count);
  return 0;
}
