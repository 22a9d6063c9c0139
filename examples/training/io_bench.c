// I/O benchmark: a file in transfers of one size, written, synchronised if wanted, read in order and read at random. If it
// is to be checked, every transfer is filled with numbers of its own before it is written, and looked at when it is read.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill(unsigned* buffer, int transfer, unsigned number) {
  for (int i = 0; i < transfer / 4; ++i) buffer[i] = number * 2654435761u + (unsigned)i;
}

static long wrong_in(const unsigned* buffer, int transfer, unsigned number) {
  long wrong = 0;
  for (int i = 0; i < transfer / 4; ++i)
    if (buffer[i] != number * 2654435761u + (unsigned)i) ++wrong;
  return wrong;
}

static void write_all(char* buffer, int transfer, int count, int sync_every) {
  int file = open("bench.dat", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  for (int i = 0; i < count; ++i) {
    write(file, buffer, transfer);
    if (sync_every > 0 && i % sync_every == 0) fsync(file);
  }
  close(file);
}

static void write_filled(char* buffer, int transfer, int count) {
  int file = open("filled.dat", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  for (int i = 0; i < count; ++i) {
    fill((unsigned*)buffer, transfer, (unsigned)i);
    write(file, buffer, transfer);
  }
  close(file);
}

static long read_checked(char* buffer, int transfer, int count) {
  int file = open("filled.dat", O_RDONLY);
  long wrong = 0;
  for (int i = 0; i < count; ++i) {
    read(file, buffer, transfer);
    wrong += wrong_in((const unsigned*)buffer, transfer, (unsigned)i);
  }
  close(file);
  return wrong;
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
  const int sync_every = argc > 3 ? atoi(argv[3]) : 0, checked = argc > 4 ? atoi(argv[4]) : 0;
  long wrong = 0;
  char* buffer = malloc(transfer);
  memset(buffer, 1, transfer);
  write_all(buffer, transfer, count, sync_every);
  read_all(buffer, transfer, count);
  read_strided(buffer, transfer, count);
  if (checked) write_filled(buffer, transfer, count);
  if (checked) wrong = read_checked(buffer, transfer, count);
  printf("%u %ld\n", check(buffer, transfer), wrong);
  return 0;
}
