// Linked with musl, whose loader takes "libc.so.6" for itself and so loads our library. Every wrapper must let its call
// through: streams, directories and mappings look different here. Children of glibc can be seen again.
#include <dirent.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../check.h"

extern char** environ;

static void* in_a_thread(void* unused) {
  char text[16] = {0};
  FILE* file = fopen("unseen", "r");
  CHECK(file != NULL && fgets(text, sizeof text, file) != NULL && fgetc(file) == EOF && fclose(file) == 0);
  return strcmp(text, "0123456789") == 0 ? unused : NULL;
}

static void with_streams(void) {
  FILE* file = fopen("unseen", "w");
  CHECK(file != NULL && setvbuf(file, NULL, _IOFBF, 4096) == 0);
  CHECK(fprintf(file, "%d", 1234) == 4 && fseek(file, 0, SEEK_SET) == 0 && putc('0', file) == '0');
  CHECK(fwrite("123456789", 1, 9, file) == 9 && fflush(NULL) == 0 && fclose(file) == 0);
}

static void with_descriptors(void) {
  char text[10];
  struct stat status;
  int fd = open("unseen", O_RDWR), other = dup(fd);
  CHECK(fd >= 0 && other >= 0 && pread(fd, text, 5, 5) == 5 && read(other, text, 3) == 3 && text[2] == '2');
  CHECK(lseek(fd, 0, SEEK_CUR) == 3 && fstat(fd, &status) == 0 && status.st_size == 10 && fsync(fd) == 0);
  char* mapped = mmap(NULL, 10, PROT_READ, MAP_SHARED, fd, 0);
  CHECK(mapped != MAP_FAILED && mapped[9] == '9' && munmap(mapped, 10) == 0);
  CHECK(close(other) == 0 && close(fd) == 0 && open("nowhere", O_RDONLY) == -1 && errno == ENOENT);
}

static void with_directories(void) {
  int entries = 0;
  DIR* here = opendir(".");
  CHECK(here != NULL);
  while (readdir(here) != NULL) ++entries;
  CHECK(closedir(here) == 0 && entries >= 3 && mkdir("d", 0755) == 0 && rename("d", "e") == 0 && rmdir("e") == 0);
}

static void with_children(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(3);
  CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
  char* argv[] = {"sh", "-c", "echo five > seen", NULL};
  CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ) == 0 && waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

int main(void) {
  pthread_t thread;
  void* answer = NULL;
  with_streams(), with_descriptors(), with_directories(), with_children();
  CHECK(pthread_create(&thread, NULL, in_a_thread, &answer) == 0 && pthread_join(thread, &answer) == 0 && answer);
  puts("done");
  return 5;
}
