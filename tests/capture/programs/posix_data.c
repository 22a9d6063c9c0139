/* Every way to read and write through a descriptor. */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <fcntl.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "tell.h"

static char data[4096];

static void wrote(const char* file, ssize_t n) {
  MUST(n >= 0);
  did(file, "POSIX_WRITES", 1), did(file, "POSIX_BYTES_WRITTEN", n);
}
static void got(const char* file, ssize_t n) {
  MUST(n >= 0);
  did(file, "POSIX_READS", 1), did(file, "POSIX_BYTES_READ", n);
}

static void plain(void) {
  struct iovec v[2] = {{data, 100}, {data + 100, 50}};
  int fd = open("data.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
  MUST(fd >= 0);
  did("data.bin", "POSIX_OPENS", 1);
  wrote("data.bin", write(fd, data, 1000));
  wrote("data.bin", pwrite(fd, data, 500, 1000));
  wrote("data.bin", pwrite64(fd, data, 500, 1500));
  wrote("data.bin", writev(fd, v, 2));
  wrote("data.bin", pwritev(fd, v, 2, 2000));
  wrote("data.bin", pwritev64(fd, v, 2, 2200));
  wrote("data.bin", pwritev2(fd, v, 2, 2400, 0));
  wrote("data.bin", pwritev64v2(fd, v, 2, -1, 0)); /* at the position */
  did("data.bin", "POSIX_MAX_BYTE_WRITTEN", 2549);
  MUST(lseek(fd, 0, SEEK_SET) == 0);
  MUST(lseek64(fd, 10, SEEK_CUR) == 10);
  did("data.bin", "POSIX_SEEKS", 2);
  got("data.bin", read(fd, data, 990));
  got("data.bin", readv(fd, v, 2));
  got("data.bin", pread(fd, data, 100, 0));
  got("data.bin", pread64(fd, data, 100, 100));
  got("data.bin", preadv(fd, v, 2, 0));
  got("data.bin", preadv64(fd, v, 2, 0));
  got("data.bin", preadv2(fd, v, 2, 0, 0));
  got("data.bin", preadv64v2(fd, v, 2, -1, 0));
  got("data.bin", pread(fd, data, 4096, 2500)); /* short: 50 */
  got("data.bin", pread(fd, data, 100, 2550)); /* the end */
  did("data.bin", "POSIX_SHORT_READS", 1), did("data.bin", "POSIX_EMPTY_READS", 1);
  did("data.bin", "POSIX_MAX_BYTE_READ", 2549);
  MUST(fsync(fd) == 0 && fdatasync(fd) == 0 && fdatasync(fd) == 0);
  did("data.bin", "POSIX_FSYNCS", 1), did("data.bin", "POSIX_FDSYNCS", 2);
  close(fd);
}

/* What dup and fork share is one position, and it is followed as the kernel does. */
static void shared(void) {
  int fd = open("shared.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
  int two = dup(fd), three = fcntl(fd, F_DUPFD_CLOEXEC, 100);
  MUST(fd >= 0 && two >= 0 && three >= 100);
  MUST(dup2(fd, 120) == 120 && dup3(fd, 121, O_CLOEXEC) == 121);
  did("shared.bin", "POSIX_OPENS", 5), did("shared.bin", "POSIX_DUPS", 4);
  wrote("shared.bin", write(fd, data, 10));
  wrote("shared.bin", write(two, data, 10));
  wrote("shared.bin", write(three, data, 10));
  wrote("shared.bin", write(120, data, 10));
  pid_t child = fork();
  if (child == 0) _exit(write(121, data, 20) == 20 ? 0 : 1);
  int status;
  MUST(waitpid(child, &status, 0) == child && status == 0);
  did("shared.bin", "POSIX_WRITES", 1), did("shared.bin", "POSIX_BYTES_WRITTEN", 20); /* the child's */
  wrote("shared.bin", write(fd, data, 5));
  MUST(lseek(fd, 0, SEEK_CUR) == 65);
  did("shared.bin", "POSIX_SEEKS", 1);
  MUST(close(two) == 0 && write(two, data, 1) == -1); /* a descriptor nobody has: not the file's failure */
}

static void appended(void) {
  int fd = open("append.bin", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  did("append.bin", "POSIX_OPENS", 2);
  wrote("append.bin", write(fd, data, 1000));
  close(fd);
  fd = open("append.bin", O_WRONLY | O_APPEND);
  wrote("append.bin", write(fd, data, 10));
  MUST(lseek(fd, 0, SEEK_SET) == 0);
  wrote("append.bin", write(fd, data, 10));
  wrote("append.bin", pwrite(fd, data, 10, 0)); /* Linux appends this one, too */
  did("append.bin", "POSIX_SEEKS", 1);
  struct {
    off_t size;
  } end = {lseek(fd, 0, SEEK_END)};
  did("append.bin", "POSIX_SEEKS", 1);
  did("append.bin", "POSIX_MAX_BYTE_WRITTEN", end.size - 1);
  close(fd);
}

static void opened(const char* name, int fd) {
  MUST(fd >= 0);
  did(name, "POSIX_OPENS", 1);
  wrote(name, write(fd, data, 7));
  close(fd);
}

int main(void) {
  char names[4][32] = {"t1.XXXXXX", "t2.XXXXXX", "t3.XXXXXX.sfx", "t4.XXXXXX.sfx"};
  plain();
  shared();
  appended();
  opened("creat.bin", creat("creat.bin", 0644));
  opened("creat64.bin", creat64("creat64.bin", 0644));
  opened("open64.bin", open64("open64.bin", O_CREAT | O_WRONLY, 0600));
  opened("openat.bin", openat(AT_FDCWD, "openat.bin", O_CREAT | O_WRONLY, 0600));
  opened("openat64.bin", openat64(AT_FDCWD, "openat64.bin", O_CREAT | O_WRONLY, 0600));
  opened(names[0], mkstemp(names[0]));
  opened(names[1], mkostemp(names[1], O_APPEND));
  opened(names[2], mkstemps(names[2], 4));
  opened(names[3], mkostemps(names[3], 4, 0));
  MUST(dprintf(120, "%05d", 42) == 5);
  wrote("shared.bin", 5);
  tell();
  return 0;
}
