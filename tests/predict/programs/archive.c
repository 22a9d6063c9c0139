/* Files of a list into one, with a header of 512 bytes each and padding, as tar does; then out again. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char block[512], data[10240];

static void add(int archive, const char* name) {
  struct stat told;
  int file = open(name, O_RDONLY);
  if (file < 0 || fstat(file, &told) != 0) exit(1);
  memset(block, 0, sizeof block);
  snprintf(block, sizeof block, "%s %ld", name, (long)told.st_size);
  write(archive, block, sizeof block);
  long left = told.st_size;
  while (left > 0) {
    ssize_t got = read(file, data, left < (long)sizeof data ? (size_t)left : sizeof data);
    if (got <= 0) exit(2);
    long padded = (got + 511) / 512 * 512;
    memset(data + got, 0, padded - got);
    write(archive, data, padded);
    left -= got;
  }
  close(file);
}

int main(int argc, char** argv) {
  int archive = open("all.archive", O_CREAT | O_TRUNC | O_RDWR, 0644);
  for (int i = 1; i < argc; ++i) add(archive, argv[i]);
  memset(block, 0, sizeof block);
  for (int i = 0; i < 2; ++i) write(archive, block, sizeof block);
  fsync(archive);
  close(archive);
  return 0;
}
