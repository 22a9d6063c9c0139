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

/* Appends go to the end, wherever other descriptors have put it meanwhile: the file itself tells. */
static void cut(const char* name, int (*cutting)(const char* name)) {
  int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0644);
  did(name, "POSIX_OPENS", 2);
  for (int i = 0; i < 20; ++i) wrote(name, write(fd, data, 100));
  int other = cutting(name);
  MUST(other >= 0 && lseek(fd, 0, SEEK_END) == 0);
  did(name, "POSIX_SEEKS", 1);
  wrote(name, pwrite(other, data, 50, 0));
  for (int i = 0; i < 30; ++i) wrote(name, write(fd, data, 100));
  wrote(name, pwrite(other, data, 50, 10)); /* in the middle: the end stays */
  wrote(name, write(fd, data, 100));
  MUST(ftruncate(other, 4000) == 0 && write(fd, data, 7) == 7);
  wrote(name, 7);
  const off_t end = lseek(fd, 0, SEEK_END);
  did(name, "POSIX_SEEKS", 1);
  MUST(end == 4007);
  did(name, "POSIX_MAX_BYTE_WRITTEN", end - 1);
  close(fd), close(other);
}
static int by_descriptor(const char* name) {
  int fd = open(name, O_WRONLY);
  return ftruncate(fd, 0) == 0 ? fd : -1;
}
static int by_name(const char* name) { return truncate(name, 0) == 0 ? open(name, O_WRONLY) : -1; }
static int by_opening(const char* name) { return open(name, O_WRONLY | O_TRUNC); }
static int by_creating(const char* name) { return creat(name, 0644); }

/* Before the descriptor that appends was opened. */
static void cut_before(void) {
  int fd = open("cut_before.bin", O_CREAT | O_WRONLY, 0644);
  did("cut_before.bin", "POSIX_OPENS", 2);
  for (int i = 0; i < 20; ++i) wrote("cut_before.bin", write(fd, data, 100));
  MUST(ftruncate(fd, 10) == 0);
  int end = open("cut_before.bin", O_WRONLY | O_APPEND);
  for (int i = 0; i < 30; ++i) wrote("cut_before.bin", write(end, data, 100));
  did("cut_before.bin", "POSIX_MAX_BYTE_WRITTEN", 3009);
  close(fd), close(end);
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
  cut("ftruncated.bin", by_descriptor);
  cut("truncated.bin", by_name);
  cut("opened_anew.bin", by_opening);
  cut("created_anew.bin", by_creating);
  cut_before();
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
