/* Data that the kernel moves: copy_file_range, sendfile, splice, tee. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "tell.h"

static void copied(const char* from, const char* to, ssize_t n) {
  MUST(n > 0);
  if (from) did(from, "POSIX_READS", 1), did(from, "POSIX_BYTES_READ", n), did(from, "POSIX_COPIES_FROM", 1);
  if (from) did(from, "POSIX_BYTES_COPIED_FROM", n);
  if (to) did(to, "POSIX_WRITES", 1), did(to, "POSIX_BYTES_WRITTEN", n), did(to, "POSIX_COPIES_TO", 1);
  if (to) did(to, "POSIX_BYTES_COPIED_TO", n);
}

int main(void) {
  char data[8192] = {1};
  int pipes[2], in = open("from.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
  int out = open("to.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
  MUST(in >= 0 && out >= 0 && pipe(pipes) == 0);
  MUST(write(in, data, sizeof data) == (ssize_t)sizeof data);
  did("from.bin", "POSIX_WRITES", 1), did("from.bin", "POSIX_BYTES_WRITTEN", sizeof data);
  off64_t a = 0, b = 0;
  copied("from.bin", "to.bin", copy_file_range(in, &a, out, &b, 5000, 0));
  MUST(lseek(out, 0, SEEK_END) == 5000);
  did("to.bin", "POSIX_SEEKS", 1);
  off_t at = 100;
  copied("from.bin", "to.bin", sendfile(out, in, &at, 3000));
  a = 0;
  copied("from.bin", NULL, splice(in, &a, pipes[1], NULL, 4096, 0));
  copied(NULL, "to.bin", splice(pipes[0], NULL, out, NULL, 4096, 0));
  tell();
  return 0;
}
