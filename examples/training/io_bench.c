// I/O benchmark: a file in transfers of one size, written, synchronised if wanted, read in order and read at random.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_all(const char* buffer, int transfer, int count, int sync_every) {
  int file = open("bench.dat", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  for (int i = 0; i < count; ++i) {
    write(file, buffer, transfer);
    if (sync_every > 0 && i % sync_every == 0) fsync(file);
  }
  close(file);
}

static void read_all(char* buffer, int transfer, int count) {
  int file = open("bench.dat", O_RDONLY);
  for (int i = 0; i < count; ++i) read(file, buffer, transfer);
  close(file);
}

static void read_strided(char* buffer, int transfer, int count) {
  int file = open("bench.dat", O_RDONLY);
  for (int i = 0; i < count; ++i) pread(file, buffer, transfer, (long)((i * 7919L) % count) * transfer);
  close(file);
}

static unsigned check(const char* buffer, int transfer) {
  unsigned sum = 0;
  for (int i = 0; i < transfer; ++i) sum = sum * 31 + (unsigned char)buffer[i];
  return sum;
}

int main(int argc, char** argv) {
  const int transfer = argc > 1 ? atoi(argv[1]) : 4096, count = argc > 2 ? atoi(argv[2]) : 1000;
  const int sync_every = argc > 3 ? atoi(argv[3]) : 0;
  char* buffer = malloc(transfer);
  memset(buffer, 1, transfer);
  write_all(buffer, transfer, count, sync_every);
  read_all(buffer, transfer, count);
  read_strided(buffer, transfer, count);
  printf("%u\n", check(buffer, transfer));
  return 0;
}
