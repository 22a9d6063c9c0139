#include "../check.h"

static int fd;

__attribute__((constructor)) static void loaded(void) {
  fd = open("library", O_CREAT | O_WRONLY | O_APPEND, 0600);
  write_tens(fd, 1);
}
__attribute__((destructor)) static void unloaded(void) {
  write_tens(fd, 1);
  close(fd);
}
