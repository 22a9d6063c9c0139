/* Names, directories, space, mappings, locks: what only the trailer counts. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "tell.h"

static void names(void) {
  struct stat status;
  struct statx wide;
  char text[64];
  MUST(mkdir("d", 0755) == 0 && mkdirat(AT_FDCWD, "d/e", 0755) == 0);
  did("d", "POSIX_MKDIRS", 1), did("d/e", "POSIX_MKDIRS", 1);
  close(creat("d/f", 0644));
  did("d/f", "POSIX_OPENS", 1);
  MUST(stat("d/f", &status) == 0 && lstat("d/f", &status) == 0);
  MUST(fstatat(AT_FDCWD, "d/f", &status, 0) == 0 && statx(AT_FDCWD, "d/f", 0, STATX_ALL, &wide) == 0);
  did("d/f", "POSIX_STATS", 4);
  MUST(stat("d", &status) == 0);
  did("d", "POSIX_OTHER_STATS", 1);
  MUST(link("d/f", "d/hard") == 0 && symlink("f", "d/soft") == 0);
  did("d/hard", "POSIX_LINKS", 1), did("d/soft", "POSIX_LINKS", 1);
  MUST(readlink("d/soft", text, sizeof text) == 1);
  did("d/soft", "POSIX_READLINKS", 1);
  MUST(access("d/f", R_OK) == 0 && faccessat(AT_FDCWD, "d/f", R_OK, 0) == 0);
  did("d/f", "POSIX_ACCESSES", 2);
  MUST(chmod("d/f", 0600) == 0 && utimes("d/f", NULL) == 0);
  did("d/f", "POSIX_ATTRIBUTES", 2);
  MUST(rename("d/f", "d/g") == 0);
  did("d/f", "POSIX_RENAMES", 1), did("d/f", "POSIX_RENAME_SOURCES", 1), did("d/g", "POSIX_RENAME_TARGETS", 1);
  MUST(renameat(AT_FDCWD, "d/g", AT_FDCWD, "d/h") == 0 && renameat2(AT_FDCWD, "d/h", AT_FDCWD, "d/i", 0) == 0);
  did("d/g", "POSIX_RENAMES", 1), did("d/h", "POSIX_RENAMES", 1);
}

static void directories(void) {
  int entries = 0, fd = open("d", O_RDONLY | O_DIRECTORY);
  char block[1024];
  DIR* directory = opendir("d");
  MUST(directory != NULL && fd >= 0);
  while (readdir(directory) != NULL) ++entries;
  closedir(directory);
  MUST(entries == 6); /* . .. e hard soft i */
  directory = fdopendir(fd);
  while (readdir64(directory) != NULL) ++entries;
  closedir(directory);
  fd = open("d", O_RDONLY | O_DIRECTORY);
  MUST(getdents64(fd, block, sizeof block) > 0);
  MUST(unlinkat(fd, "hard", 0) == 0 && unlinkat(fd, "e", AT_REMOVEDIR) == 0);
  close(fd);
  did("d", "POSIX_OPENS", 2), did("d", "POSIX_OPENDIRS", 2), did("d", "POSIX_READDIRS", entries + 1);
  did("d/hard", "POSIX_UNLINKS", 1), did("d/e", "POSIX_RMDIRS", 1);
  MUST(unlink("d/soft") == 0 && remove("d/i") == 0 && rmdir("d") == 0);
  did("d/soft", "POSIX_UNLINKS", 1), did("d/i", "POSIX_UNLINKS", 1), did("d", "POSIX_RMDIRS", 1);
}

static void space(void) {
  int fd = open("space.bin", O_CREAT | O_RDWR, 0644);
  MUST(ftruncate(fd, 65536) == 0 && truncate("space.bin", 32768) == 0);
  did("space.bin", "POSIX_OPENS", 1), did("space.bin", "POSIX_TRUNCATES", 2);
  MUST(fallocate(fd, 0, 0, 65536) == 0 && posix_fallocate(fd, 65536, 4096) == 0);
  did("space.bin", "POSIX_ALLOCATES", 2), did("space.bin", "POSIX_BYTES_ALLOCATED", 65536 + 4096);
  MUST(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL) == 0 && readahead(fd, 0, 4096) == 0);
  did("space.bin", "POSIX_ADVISES", 2);
  MUST(sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0);
  did("space.bin", "POSIX_RANGE_SYNCS", 1);
  MUST(flock(fd, LOCK_EX) == 0 && lockf(fd, F_LOCK, 10) == 0);
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  MUST(fcntl(fd, F_SETLK, &lock) == 0);
  did("space.bin", "POSIX_LOCKS", 3);
  char* memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  MUST(memory != MAP_FAILED);
  memset(memory, 1, 65536);
  MUST(msync(memory, 8192, MS_SYNC) == 0 && munmap(memory, 65536) == 0);
  did("space.bin", "POSIX_MMAPS", 1), did("space.bin", "POSIX_BYTES_MAPPED", 65536);
  did("space.bin", "POSIX_MSYNCS", 1), did("space.bin", "POSIX_BYTES_MSYNCED", 8192),
      did("space.bin", "POSIX_UNMAPS", 1);
  MUST(fchmod(fd, 0600) == 0 && futimens(fd, NULL) == 0);
  did("space.bin", "POSIX_ATTRIBUTES", 2);
  close(fd);
}

static void failures(void) {
  char block[8];
  struct stat status;
  MUST(open("nowhere/x", O_RDONLY) == -1 && errno == ENOENT);
  MUST(stat("nowhere", &status) == -1 && unlink("nowhere") == -1);
  did("", "ENOENT", 3);
  MUST(open("space.bin", O_CREAT | O_EXCL | O_RDWR, 0644) == -1 && errno == EEXIST);
  did("space.bin", "EEXIST", 1);
  MUST(mkdir("space.bin", 0755) == -1);
  did("space.bin", "EEXIST", 1);
  int fd = open("space.bin", O_RDONLY);
  did("space.bin", "POSIX_OPENS", 1);
  MUST(write(fd, block, 8) == -1 && errno == EBADF);
  MUST(pwrite(fd, block, 8, 0) == -1 && errno == EBADF);
  did("space.bin", "EBADF", 2);
  MUST(lseek(fd, -1, SEEK_SET) == -1 && errno == EINVAL);
  did("space.bin", "EINVAL", 1);
  close(fd);
}

int main(void) {
  names();
  directories();
  space();
  failures();
  tell();
  return 0;
}
