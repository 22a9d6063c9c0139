/* Single calls of the stress program. */
#include "stress.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <utime.h>

ssize_t write_in_parts(int fd) {
  struct iovec parts[2] = {{(void*)"ten ", 4}, {(void*)"bytes\n", 6}};
  return writev(fd, parts, 2);
}

void map_and_unmap(int fd) {
  void* memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) CHECK(munmap(memory, 4096) == 0);
}

void use_stream(unsigned random, unsigned which) {
  char path[16], text[16];
  snprintf(path, sizeof path, "s%u", which);
  FILE* stream = fopen(path, random % 2 != 0 ? "w+" : "a+");
  CHECK(stream != NULL);
  for (unsigned i = 0; i < random % 32; ++i) CHECK(fputs("ten bytes\n", stream) >= 0 && fputc('x', stream) == 'x');
  CHECK(fflush(stream) == 0 && fseek(stream, 0, SEEK_SET) == 0);
  (void)!fread(text, 1, sizeof text, stream);
  CHECK(fclose(stream) == 0);
}

/* Used by all under the stream's own lock, and replaced under this one: a stream that is closed is nobody's any more. */
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static FILE* shared_stream;

static void replace_shared_stream(void) {
  CHECK(pthread_rwlock_wrlock(&shared_lock) == 0);
  if (shared_stream != NULL) CHECK(fclose(shared_stream) == 0);
  shared_stream = fopen("shared_stream", "w");
  CHECK(shared_stream != NULL && pthread_rwlock_unlock(&shared_lock) == 0);
}

void use_shared_stream(unsigned random) {
  if (random % 16 == 0) replace_shared_stream();
  CHECK(pthread_rwlock_rdlock(&shared_lock) == 0);
  if (shared_stream != NULL) CHECK(fprintf(shared_stream, "%u\n", random) > 0);
  if (shared_stream != NULL && random % 8 == 0) CHECK(fflush(shared_stream) == 0);
  CHECK(pthread_rwlock_unlock(&shared_lock) == 0);
}

void use_names(unsigned random, unsigned which) {
  char path[16], other[16];
  struct stat about;
  snprintf(path, sizeof path, "n%u", which);
  snprintf(other, sizeof other, "m%u", which);
  const int fd = open(path, O_CREAT | O_WRONLY, 0600);
  CHECK(fd >= 0 && close(fd) == 0 && stat(path, &about) == 0 && access(path, R_OK) == 0);
  CHECK(rename(path, other) == 0 && unlink(other) == 0);
  if (random % 8 != 0) return;
  DIR* directory = opendir(".");
  CHECK(directory != NULL);
  while (readdir(directory) != NULL) continue;
  CHECK(closedir(directory) == 0);
}

/* Numbers that are this thread's alone. */
void close_a_range(unsigned which) {
  const int first = 600 + 10 * (int)which;
  const int fd = open("ranged", O_CREAT | O_RDWR, 0600);
  CHECK(fd >= 0);
  for (int i = 0; i < 5; ++i) CHECK(dup2(fd, first + i) == first + i);
  count_write(write(first + 2, "ten bytes\n", 10));
  CHECK(close(fd) == 0 && close_range((unsigned)first, (unsigned)first + 4, 0) == 0);
}

/* Functions that the parent has not called: they are looked for in a child, where the loader's lock may be held by a thread
 * that is not here. */
void ask_for_the_first_time(unsigned random) {
  struct statvfs about;
  struct utimbuf times = {1, 1};
  switch (random % 5) {
    case 0: (void)statvfs(".", &about); break;
    case 1: (void)utime("f0", &times); break;
    case 2: (void)mkdir("a_directory", 0700); break;
    case 3: (void)!symlink("f0", "a_link"); break;
    default: (void)chmod("f0", 0600); break;
  }
  const int from = open("f1", O_RDONLY);
  if (from < 0) return;
  (void)posix_fadvise(from, 0, 0, POSIX_FADV_NORMAL);
  CHECK(close(from) == 0);
}
