// A file as large as it was reserved.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char piece[1000];
  struct stat told;
  const int file = open("reserved.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (posix_fallocate(file, 0, 2 << 20) != 0 || fstat(file, &told) != 0) return 1;
  for (long at = 0; at < told.st_size; at += 1 << 18)
    if (pread(file, piece, sizeof piece, at) != sizeof piece) return 1;
  close(file);
  return 0;
}
