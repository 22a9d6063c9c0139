#include <fcntl.h>
#include <unistd.h>

int write_apart(void) {
  const int fd = open("apart", O_CREAT | O_WRONLY | O_TRUNC, 0600);
  return fd >= 0 && write(fd, "apart\n", 6) == 6 && close(fd) == 0 ? 0 : 1;
}
