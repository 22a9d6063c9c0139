// The disk fills up while the program writes: it learns that as ever.
#include "../check.h"

int main(int argc, char** argv) {
  const int fd = open_new(argc > 1 ? argv[1] : "data");
  static char block[4096];
  long written = 0;
  ssize_t got;
  while ((got = write(fd, block, sizeof block)) > 0) written += got;
  CHECK(got == -1 && errno == ENOSPC);
  printf("%ld\n", written);
  return 0;
}
