/* The same through syscall(). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tell.h"

int main(void) {
  char data[4096] = {1};
  struct iovec v[2] = {{data, 100}, {data + 100, 50}};
  struct open_how how = {.flags = O_CREAT | O_RDWR, .mode = 0644};
  struct stat status;
  struct statx wide;
  long fd = syscall(SYS_openat2, AT_FDCWD, "raw.bin", &how, sizeof how);
  MUST(fd >= 0);
  did("raw.bin", "POSIX_OPENS", 2);
  MUST(syscall(SYS_write, fd, data, 4096) == 4096 && syscall(SYS_pwrite64, fd, data, 100, 4096) == 100);
  MUST(syscall(SYS_writev, fd, v, 2) == 150 && syscall(SYS_pwritev, fd, v, 2, 0, 0) == 150);
  MUST(syscall(SYS_pwritev2, fd, v, 2, -1L, -1L, 0) == 150);
  did("raw.bin", "POSIX_WRITES", 5), did("raw.bin", "POSIX_BYTES_WRITTEN", 4096 + 100 + 150 + 150 + 150);
  did("raw.bin", "POSIX_MAX_BYTE_WRITTEN", 4096 + 150 + 150 - 1);
  MUST(syscall(SYS_lseek, fd, 0, SEEK_SET) == 0);
  did("raw.bin", "POSIX_SEEKS", 1);
  MUST(syscall(SYS_read, fd, data, 4096) == 4096 && syscall(SYS_pread64, fd, data, 10, 0) == 10);
  MUST(syscall(SYS_readv, fd, v, 2) == 150 && syscall(SYS_preadv, fd, v, 2, 0, 0) == 150);
  did("raw.bin", "POSIX_READS", 4), did("raw.bin", "POSIX_BYTES_READ", 4096 + 10 + 150 + 150);
  long two = syscall(SYS_dup, fd);
  did("raw.bin", "POSIX_DUPS", 1);
  MUST(syscall(SYS_fsync, two) == 0 && syscall(SYS_fdatasync, fd) == 0);
  did("raw.bin", "POSIX_FSYNCS", 1), did("raw.bin", "POSIX_FDSYNCS", 1);
  MUST(syscall(SYS_newfstatat, AT_FDCWD, "raw.bin", &status, 0) == 0 && syscall(SYS_fstat, fd, &status) == 0);
  MUST(syscall(SYS_statx, AT_FDCWD, "raw.bin", 0, STATX_ALL, &wide) == 0);
  did("raw.bin", "POSIX_STATS", 3);
  MUST(syscall(SYS_ftruncate, fd, 100) == 0);
  did("raw.bin", "POSIX_TRUNCATES", 1);
  MUST(syscall(SYS_close, two) == 0 && syscall(SYS_close, fd) == 0);
  MUST(syscall(SYS_renameat2, AT_FDCWD, "raw.bin", AT_FDCWD, "raw2.bin", 0) == 0);
  did("raw.bin", "POSIX_RENAMES", 1), did("raw2.bin", "POSIX_RENAME_TARGETS", 1);
  MUST(syscall(SYS_unlinkat, AT_FDCWD, "raw2.bin", 0) == 0 && syscall(SYS_mkdirat, AT_FDCWD, "rawd", 0755) == 0);
  did("raw2.bin", "POSIX_UNLINKS", 1), did("rawd", "POSIX_MKDIRS", 1);
  MUST(syscall(SYS_openat, AT_FDCWD, "nowhere", O_RDONLY) == -1);
  did("", "ENOENT", 1);
  MUST(syscall(SYS_getpid) == getpid());
  tell();
  return 0;
}
