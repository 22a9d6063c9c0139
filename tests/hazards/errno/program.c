// errno is the program's: calls that succeed leave it alone, calls that fail set it as ever.
#include "../check.h"

#include <sys/stat.h>

#define KEEPS(call) (errno = 77, CHECK(call), CHECK(errno == 77))
#define SETS(call, value) (errno = 77, CHECK(call), CHECK(errno == (value)))

int main(void) {
  struct stat status;
  char buffer[16];
  int fd = -1;
  KEEPS((fd = open("data", O_CREAT | O_RDWR, 0600)) >= 0);
  KEEPS(write(fd, "x", 1) == 1);
  KEEPS(pread(fd, buffer, 16, 0) == 1);
  KEEPS(lseek(fd, 0, SEEK_SET) == 0);
  KEEPS(fstat(fd, &status) == 0);
  KEEPS(stat("data", &status) == 0);
  KEEPS(fsync(fd) == 0);
  KEEPS(close(fd) == 0);
  for (int i = 0; i < 2000; ++i) {  // tables grow meanwhile
    char name[32];
    snprintf(name, sizeof name, "new%d", i);
    KEEPS((fd = open(name, O_CREAT | O_WRONLY, 0600)) >= 0);
    KEEPS(close(fd) == 0);
  }
  SETS(open("missing/data", O_RDONLY) == -1, ENOENT);
  SETS(read(-1, buffer, 1) == -1, EBADF);
  SETS(write(12345, buffer, 1) == -1, EBADF);
  SETS(close(12345) == -1, EBADF);
  CHECK((fd = open("data", O_RDONLY)) >= 0);
  SETS(write(fd, "x", 1) == -1, EBADF);
  SETS(pread(fd, buffer, 1, -5) == -1, EINVAL);
  SETS(fopen("missing/data", "r") == NULL, ENOENT);
  return 0;
}
