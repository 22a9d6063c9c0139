/* Accesses of every kind, at offsets that only who follows them knows. trace FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char data[65536];
static char folder[4096];

static int open_file(const char* name, int flags) {
  char path[8192];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int file = open(path, flags | O_CREAT, 0600);
  if (file < 0) exit(1);
  return file;
}

static void must(int holds) {
  if (!holds) exit(1);
}

static void* thread(void* number) {
  char name[32];
  snprintf(name, sizeof name, "thread.%d", (int)(long)number);
  const int file = open_file(name, O_RDWR);
  for (int i = 0; i < 200; ++i) must(pwrite(file, data, 100 + i, (off_t)i * 1000) == 100 + i);
  close(file);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  snprintf(folder, sizeof folder, "%s", argv[1]);
  const int file = open_file("mixed", O_RDWR);
  for (int i = 0; i < 50; ++i) must(write(file, data, 4096) == 4096);
  unsigned state = 1;
  for (int i = 0; i < 300; ++i) {
    state = state * 1103515245 + 12345;
    const off_t at = (off_t)(state % 200000);
    if (state >> 31) must(pwrite(file, data, 1 + state % 5000, at) > 0);
    else must(pread(file, data, 1 + state % 5000, at) >= 0);
  }
  must(lseek(file, 12345, SEEK_SET) == 12345);
  const struct iovec parts[2] = {{data, 100}, {data, 50}};
  must(writev(file, parts, 2) == 150 && readv(file, parts, 2) == 150);
  must(preadv(file, parts, 2, 777) == 150 && pwritev(file, parts, 2, 1777) == 150);
  must(lseek(file, 0, SEEK_END) > 0 && read(file, data, 10) == 0);
  close(file);
  const int log = open_file("appended", O_WRONLY | O_APPEND);
  for (int i = 0; i < 20; ++i) must(write(log, data, 10 + i) == 10 + i);
  close(log);
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  if (fork() == 0) {
    const int child = open_file("child", O_RDWR);
    must(write(child, data, 777) == 777 && pread(child, data, 100, 50) == 100);
    close(child);
    exit(0);
  }
  must(wait(NULL) > 0);
  return 0;
}
