/* Calls that tests of events know the number of.
 *   event_calls endless FILE               writes of 10 bytes until somebody ends it
 *   event_calls writes COUNT FILE          so many
 *   event_calls paced COUNT FILE           one every millisecond
 *   event_calls threads N COUNT FOLDER     N threads at once, each so many to a file of its own
 *   event_calls many N COUNT FOLDER        N threads one after the other, all to one file
 *   event_calls forks DEPTH COUNT FOLDER   a tree of processes, two children each, so many writes by each
 *   event_calls becomes COUNT FILE         seven to FILE.before, then the program is replaced by one that writes so many
 *   event_calls mixed FOLDER               a few calls of several kinds */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBytes = 10, kMostThreads = 1024 };

static long count;
static const char* folder;

static int made(const char* path) {
  const int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (fd < 0) perror(path), exit(2);
  return fd;
}

static void write_some(int fd, long some) {
  for (long i = 0; some < 0 || i < some; ++i) {
    if (write(fd, "0123456789", kBytes) != kBytes) exit(3);
  }
}

static void* one_thread(void* number) {
  char path[4096];
  snprintf(path, sizeof path, "%s/thread.%ld", folder, (long)number);
  const int fd = made(path);
  write_some(fd, count);
  close(fd);
  return NULL;
}

static void* appending_thread(void* fd) {
  write_some((int)(long)fd, count);
  return NULL;
}

static pthread_t started(void* (*work)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, argument) != 0) fputs("no thread can be started\n", stderr), exit(5);
  return thread;
}

static void run_threads(long threads) {
  static pthread_t all[kMostThreads];
  for (long i = 0; i < threads; ++i) all[i] = started(one_thread, (void*)i);
  for (long i = 0; i < threads; ++i) pthread_join(all[i], NULL);
}

static void run_many(long threads) {
  char path[4096];
  snprintf(path, sizeof path, "%s/many", folder);
  const int fd = made(path);
  for (long i = 0; i < threads; ++i) {
    pthread_join(started(appending_thread, (void*)(long)fd), NULL);
  }
  close(fd);
}

static void run_forks(long depth) {
  char path[4096];
  snprintf(path, sizeof path, "%s/process.%ld", folder, (long)getpid());
  const int fd = made(path);
  for (int i = 0; depth > 0 && i < 2; ++i) {
    if (fork() == 0) run_forks(depth - 1), _exit(0);
  }
  write_some(fd, count);
  close(fd);
  while (wait(NULL) > 0) {
  }
}

static void run_mixed(void) {
  char path[4096], other[4096];
  char data[64];
  struct stat status;
  snprintf(path, sizeof path, "%s/mixed.dat", folder);
  snprintf(other, sizeof other, "%s/other.txt", folder);
  const int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (pwrite(fd, data, 64, 1000) != 64 || pread(fd, data, 32, 1010) != 32 || lseek(fd, 5, SEEK_SET) != 5) exit(3);
  if (write(fd, data, 7) != 7 || fsync(fd) != 0 || fstat(fd, &status) != 0) exit(3);
  close(fd);
  FILE* stream = fopen(other, "w");
  for (int i = 0; i < 5; ++i) fputs("twelve bytes", stream);
  fflush(stream);
  fclose(stream);
  rename(other, path);
  unlink(path);
}

int main(int argc, char** argv) {
  const char* what = argc > 2 ? argv[1] : "";
  const long number = argc > 3 ? atol(argv[2]) : 0;
  if (argc > 4) count = atol(argv[3]), folder = argv[4];
  if (strcmp(what, "endless") == 0) write_some(made(argv[2]), -1);
  else if (strcmp(what, "writes") == 0) write_some(made(argv[3]), number);
  else if (strcmp(what, "threads") == 0) run_threads(number);
  else if (strcmp(what, "many") == 0) run_many(number);
  else if (strcmp(what, "forks") == 0) run_forks(number);
  else if (strcmp(what, "mixed") == 0) folder = argv[2], run_mixed();
  else if (strcmp(what, "paced") == 0) {
    const int fd = made(argv[3]);
    for (long i = 0; i < number; ++i) write_some(fd, 1), usleep(1000);
  } else if (strcmp(what, "becomes") == 0) {
    char before[4096];
    snprintf(before, sizeof before, "%s.before", argv[3]);
    write_some(made(before), 7);
    execl("/proc/self/exe", argv[0], "writes", argv[2], argv[3], NULL);
    return 4;
  } else {
    return 2;
  }
  return 0;
}
