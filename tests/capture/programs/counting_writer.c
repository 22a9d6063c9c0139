/* Writes forever, and after each write says in shared memory how many there have been: the truth beside which a
 * recovered log is held. argv: data file, counter file. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char data[128] = {0};
  if (argc != 3) return 99;
  int count = open(argv[2], O_RDWR | O_CREAT, 0644);
  if (count < 0 || ftruncate(count, 4096) != 0) return 98;
  volatile uint64_t* written = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, count, 0);
  int fd = open(argv[1], O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (written == MAP_FAILED || fd < 0) return 97;
  for (uint64_t i = 1;; ++i) {
    if (pwrite(fd, data, sizeof data, (off_t)(i % 4096 * sizeof data)) != (ssize_t)sizeof data) return 96;
    *written = i;
  }
}
