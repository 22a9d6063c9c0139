#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int write_behind(int fd) {
  FILE* stream = fopen("behind", "w");
  if (stream == NULL || fputs("behind\n", stream) < 0 || fclose(stream) != 0) return 1;
  return write(fd, "from behind\n", 12) == 12 && close(fd) == 0 ? 0 : 1;
}
