/* argv: how, how many, a file. Processes one after the other, each writes 10 bytes to the file:
 *   fork     children that end before the next one begins
 *   exec     the same, each a program of its own (this one, "once")
 *   chain    each is the child of the one before, which ends first
 *   once     the 10 bytes
 * The first process ends when all have written. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_once(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0 || write(fd, "0123456789", 10) != 10 || close(fd) != 0) _exit(1);
}

static long size_of(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 ? (long)status.st_size : 0;
}

static void start_all(const char* program, const char* how, long count, const char* path) {
  for (long i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      if (strcmp(how, "exec") == 0) execl(program, program, "once", "1", path, (char*)NULL);
      write_once(path);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) exit(2);
  }
}

static void start_chain(long count, const char* path) {
  signal(SIGCHLD, SIG_IGN);
  if (fork() == 0) {
    for (long i = 0; i < count; ++i) {
      write_once(path);
      if (i + 1 < count && fork() != 0) _exit(0);
    }
    _exit(0);
  }
  while (size_of(path) < 10 * count) usleep(1000);
}

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const long count = atol(argv[2]);
  if (strcmp(argv[1], "once") == 0) write_once(argv[3]);
  else if (strcmp(argv[1], "chain") == 0) start_chain(count, argv[3]);
  else start_all(argv[0], argv[1], count, argv[3]);
  return 0;
}
