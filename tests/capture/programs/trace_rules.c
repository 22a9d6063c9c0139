/* Accesses that rules of traces tell apart: small ones, large ones, large ones off the block. trace_rules FOLDER */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char data[65536];

static void write_file(const char* folder, const char* name, int size, long step, long first) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int file = open(path, O_CREAT | O_RDWR, 0600);
  if (file < 0) exit(1);
  for (int i = 0; i < 20; ++i)
    if (pwrite(file, data, (size_t)size, (off_t)(first + i * step)) != size) exit(1);
  if (pread(file, data, (size_t)size, (off_t)first) != size) exit(1);
  close(file);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  write_file(argv[1], "small.h5", 100, 1 << 20, 0);
  write_file(argv[1], "large.dat", 65536, 1 << 20, 0);
  write_file(argv[1], "off.dat", 65536, 1 << 20, 1);
  return 0;
}
