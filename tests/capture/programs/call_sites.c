/* Calls from known lines: a line that ends in "site: WORDS" makes exactly the calls that it says.
   call_sites plain | threads | fork | plugin PATH | many | forever */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[4096];

__attribute__((noinline)) static void write_rows(int fd, int rows) {
  for (int i = 0; i < rows; ++i)
    if (write(fd, block, 100) != 100) exit(1); /* site: out.dat write 10 1000 */
  if (pwrite(fd, block, 50, 7) != 50) exit(1); /* site: out.dat write 1 50 */
}

static int plain(void) {
  struct stat status;
  int fd = open("out.dat", O_RDWR | O_CREAT | O_TRUNC, 0600); /* site: out.dat open 1 0 */
  write_rows(fd, 10);
  if (fsync(fd)) return 1;                              /* site: out.dat fsync 1 0 */
  if (fdatasync(fd)) return 1;                          /* site: out.dat fdatasync 1 0 */
  if (lseek(fd, 0, SEEK_SET)) return 1;                 /* site: out.dat seek 1 0 */
  for (int i = 0; i < 4; ++i)
    if (read(fd, block, 64) != 64) return 1;            /* site: out.dat read 4 256 */
  if (stat("out.dat", &status)) return 1;               /* site: out.dat stat 1 0 */
  if (fstat(fd, &status)) return 1;                     /* site: out.dat stat 1 0 */
  void* at = mmap(NULL, 512, PROT_READ, MAP_SHARED, fd, 0); /* site: out.dat mmap 1 0 */
  if (at == MAP_FAILED || munmap(at, 512)) return 1;    /* munmap has no operation of its own */
  int other = dup(fd);                                  /* site: out.dat dup 1 0 */
  if (ftruncate(other, 90)) return 1;                   /* site: out.dat truncate 1 0 */
  if (close(fd)) return 1;                              /* site: out.dat close 1 0 */
  if (rename("out.dat", "new.dat")) return 1;           /* site: out.dat rename 1 0 */
  FILE* stream = fopen("text.txt", "w+");               /* site: text.txt fopen 1 0 */
  for (int i = 0; i < 3; ++i)
    if (fwrite(block, 10, 2, stream) != 2) return 1;    /* site: text.txt stream write 3 60 */
  if (fprintf(stream, "%s %d", "word", 12) != 7) return 1; /* site: text.txt stream write 1 7 */
  if (fputs("line\n", stream) < 0) return 1;            /* site: text.txt stream write 1 5 */
  if (fflush(stream)) return 1;                         /* site: text.txt flush 1 0 */
  rewind(stream);                                       /* site: text.txt stream seek 1 0 */
  if (fseek(stream, 4, SEEK_SET)) return 1;             /* site: text.txt stream seek 1 0 */
  if (fread(block, 1, 16, stream) != 16) return 1;      /* site: text.txt stream read 1 16 */
  if (fclose(stream)) return 1;                         /* site: text.txt fclose 1 0 */
  if (puts("said") < 0) return 1;                       /* site: <STDOUT> stream write 1 5 */
  if (unlink("new.dat")) return 1;                      /* site: new.dat remove 1 0 */
  return 0;
}

static void* one_thread(void* number) {
  char name[32];
  snprintf(name, sizeof name, "thread%ld.dat", (long)number);
  int fd = open(name, O_WRONLY | O_CREAT, 0600);
  for (int i = 0; i < 1000; ++i)
    if (write(fd, block, 8) != 8) exit(1); /* threads write here */
  close(fd);
  return NULL;
}

static int threads(void) {
  pthread_t ids[4];
  for (long i = 0; i < 4; ++i) pthread_create(&ids[i], NULL, one_thread, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(ids[i], NULL);
  return 0;
}

static int forked(void) {
  int fd = open("shared.dat", O_WRONLY | O_CREAT, 0600);
  if (write(fd, block, 11) != 11) return 1; /* the parent writes here */
  if (fork() == 0) {
    for (int i = 0; i < 5; ++i)
      if (write(fd, block, 22) != 22) _exit(1); /* the child writes here */
    _exit(0);
  }
  wait(NULL);
  return 0;
}

static int plugin(const char* path) {
  int fd = open("plugin.dat", O_WRONLY | O_CREAT, 0600);
  for (int round = 0; round < 3; ++round) {
    void* library = dlopen(path, RTLD_NOW);
    if (library == NULL) return 1;
    void (*call)(int) = (void (*)(int))dlsym(library, "write_from_plugin");
    call(fd);
    dlclose(library);
  }
  return 0;
}

static int many(void) {
  for (int i = 0; i < 13000; ++i) {
    char name[32];
    snprintf(name, sizeof name, "many%d", i);
    int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (write(fd, block, 3) != 3) return 1;
    close(fd);
    unlink(name);
  }
  return 0;
}

static int forever(void) {
  int fd = open("endless.dat", O_WRONLY | O_CREAT, 0600);
  for (;;)
    if (pwrite(fd, block, 16, 0) != 16) return 1; /* killed while writing here */
}

int main(int count, char** words) {
  if (count < 2) return 2;
  if (strcmp(words[1], "threads") == 0) return threads();
  if (strcmp(words[1], "fork") == 0) return forked();
  if (strcmp(words[1], "plugin") == 0) return plugin(words[2]);
  if (strcmp(words[1], "many") == 0) return many();
  if (strcmp(words[1], "forever") == 0) return forever();
  return plain();
}
