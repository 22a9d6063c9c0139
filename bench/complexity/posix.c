/* One loop: STEPS records of 4 KiB behind one another, each read back. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECORD = 4096 };

int main(int argc, char** argv) {
  const long steps = argc > 1 ? atol(argv[1]) : 100;
  static char record[RECORD];
  const int file = open("records.dat", O_CREAT | O_TRUNC | O_RDWR, 0644);
  for (long step = 0; step < steps; step++) {
    if (pwrite(file, record, RECORD, step * RECORD) != RECORD) return 1;
    if (pread(file, record, RECORD, step * RECORD) != RECORD) return 1;
  }
  return close(file);
}
