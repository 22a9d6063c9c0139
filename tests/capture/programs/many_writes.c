/* many_writes FILE COUNT OTHER: COUNT small writes to a file, a few to another in between, and a signal to itself at the end
   where a fourth argument names it. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const long count = atol(argv[2]);
  const int file = open(argv[1], O_CREAT | O_RDWR | O_TRUNC, 0600),
            other = open(argv[3], O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (file < 0 || other < 0) return 1;
  for (long i = 0; i < count; ++i) {
    if (pwrite(file, "01234567", 1 + i % 8, (i * 7919) % 100000 * 8) <= 0) return 1;
    if (i % (count / 10) == 0 && pwrite(other, "x", 1, i) != 1) return 1;
  }
  if (argc > 4) kill(getpid(), atoi(argv[4]));
  return 0;
}
