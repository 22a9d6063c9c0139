/* many_calls writes FILE: a million small writes.  many_calls files FOLDER: three thousand files.
   many_calls killed FILE SIGNAL: a thousand writes, then the signal. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char block[4096];

static void write_or_end(int file, size_t size, off_t at) {
  if (pwrite(file, block, size, at) != (ssize_t)size) exit(1);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  char name[4200];
  int file = strcmp(argv[1], "files") == 0 ? -1 : open(argv[2], O_CREAT | O_RDWR | O_TRUNC, 0644);
  if (strcmp(argv[1], "writes") == 0) {
    for (int i = 0; i < 1000000; ++i) write_or_end(file, 64, i % 1000 * 64);
  } else if (strcmp(argv[1], "files") == 0) {
    for (int i = 0; i < 3000; ++i) {
      snprintf(name, sizeof name, "%s/f%d", argv[2], i);
      file = open(name, O_CREAT | O_WRONLY, 0644);
      write_or_end(file, 10, 0);
      close(file);
    }
  } else if (argc == 4) {
    for (int i = 0; i < 1000; ++i) write_or_end(file, sizeof block, i * (off_t)sizeof block);
    kill(getpid(), atoi(argv[3]));
  }
  return 0;
}
