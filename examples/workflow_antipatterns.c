/* Bad habits of what is around a program: streams that are flushed, databases, scripts and pipes; and the same work done well.
 *
 *   workflow_antipatterns ANTIPATTERN bad|good DIRECTORY [TIMES]
 *
 * Arguments and names are as in antipatterns.c. These are apart because they start programs and wait for them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20 };
static char block[MIB + 64] __attribute__((aligned(64)));
static char path[4096];
static int bad;

static void must(int holds, const char* what) {
  if (!holds) {
    perror(what);
    exit(1);
  }
}
static const char* in_directory(const char* directory, const char* name) {
  must(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path, "name");
  return path;
}
static int file(const char* directory, const char* name, int flags) {
  int fd = open(in_directory(directory, name), flags, 0600);
  must(fd >= 0, name);
  return fd;
}
static void put(int fd, size_t bytes) { must(write(fd, block, bytes) == (ssize_t)bytes, "write"); }
static int filled(const char* directory, int mib) {
  int fd = file(directory, "data", O_CREAT | O_TRUNC | O_RDWR);
  for (int i = 0; i < mib; i++) put(fd, MIB);
  return fd;
}

/* Lines of many lengths, each written on its own as a stream does that is flushed after every line; or by the buffer. */
static void flushed_lines(const char* d) {
  int fd = file(d, "lines.txt", O_CREAT | O_TRUNC | O_WRONLY);
  size_t filled_up = 0;
  for (int i = 0; i < 100000; i++) {
    filled_up += (size_t)sprintf(block + filled_up, "particle %d x=%g\n", i, i * 0.5);
    if (!bad && filled_up < MIB - 64) continue;
    put(fd, filled_up), filled_up = 0;
  }
  put(fd, filled_up);
  close(fd);
}
/* A row at a time into a database that keeps a journal: a transaction each, or one for all. */
static void no_transactions(const char* d) {
  int database = file(d, "rows.db", O_CREAT | O_TRUNC | O_RDWR), journal = -1;
  for (int row = 0; row < 64; row++) {
    if (bad || row == 0) {
      journal = file(d, "rows.db-journal", O_CREAT | O_TRUNC | O_WRONLY);
      put(journal, 4096), must(fsync(journal) == 0, "fsync");
    }
    must(pwrite(database, block, 4096, (off_t)(row % 8) * 4096) == 4096, "pwrite");
    if (!bad && row < 63) continue;
    must(fsync(database) == 0, "fsync");
    close(journal), must(unlink(in_directory(d, "rows.db-journal")) == 0, "unlink");
  }
  close(database);
}
/* A script that starts a program for every line; or one that does the work itself. */
static void short_processes(const char* d) {
  for (int i = 0; bad && i < 200; i++) {
    const pid_t child = fork();
    if (child == 0) execl("/bin/true", "true", (char*)NULL), _exit(127);
    must(child > 0 && waitpid(child, NULL, 0) == child, "true");
  }
  close(filled(d, 1));
}
/* 200 numbers from a program that takes its time for each; or from the file that it left. */
static void pipe_waits(const char* d) {
  int ends[2], number = 0, fd = file(d, "numbers", O_CREAT | O_TRUNC | O_RDWR);
  for (int i = 0; i < 200; i++) must(dprintf(fd, "%d\n", i) > 0, "dprintf");
  must(lseek(fd, 0, SEEK_SET) == 0 && pipe(ends) == 0, "pipe");
  fflush(NULL);
  const pid_t child = bad ? fork() : -1;
  if (child == 0) {
    close(ends[0]);
    for (int i = 0; i < 200; i++) must(dprintf(ends[1], "%d\n", i) > 0, "dprintf"), usleep(2000);
    _exit(0);
  }
  must(dup2(bad ? ends[0] : fd, STDIN_FILENO) == STDIN_FILENO, "dup2");
  close(ends[0]), close(ends[1]);
  clearerr(stdin);
  while (scanf("%d", &number) == 1) continue;
  must(number == 199 && (!bad || waitpid(child, NULL, 0) == child), "numbers");
  close(fd);
}

static const struct {
  const char* name;
  void (*commit)(const char* directory);
} kAntipatterns[] = {
    {"flushed-lines", flushed_lines},
    {"no-transactions", no_transactions},
    {"short-processes", short_processes},
    {"pipe-waits", pipe_waits},
};

static void repeat(void (*commit)(const char* directory), const char* directory, int times) {
  static char folder[3000];
  for (int i = 0; i < times; i++) {
    must(snprintf(folder, sizeof folder, "%s/round%d", directory, i) < (int)sizeof folder, "name");
    must(mkdir(folder, 0700) == 0 || errno == EEXIST, "mkdir");
    commit(folder);
  }
}

int main(int argc, char** argv) {
  if ((argc == 4 || argc == 5) && (strcmp(argv[2], "bad") == 0 || strcmp(argv[2], "good") == 0)) {
    bad = argv[2][0] == 'b';
    for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++) {
      if (strcmp(argv[1], kAntipatterns[i].name) != 0) continue;
      if (argc == 4) kAntipatterns[i].commit(argv[3]);
      else repeat(kAntipatterns[i].commit, argv[3], atoi(argv[4]));
      return 0;
    }
  }
  fputs("use: workflow_antipatterns ANTIPATTERN bad|good DIRECTORY [TIMES]; ANTIPATTERN is one of", stderr);
  for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++)
    fprintf(stderr, " %s", kAntipatterns[i].name);
  fputc('\n', stderr);
  return 2;
}
