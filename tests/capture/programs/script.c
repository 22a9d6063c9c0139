/* Does what a script says to one file: lines of "r|w at|on OFFSET BYTES ODD", "sync", "reopen". Ends as argv[3] says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char data[1 << 17] __attribute__((aligned(64)));

static int reopened(const char* path, int fd) {
  if (fd >= 0) close(fd);
  return open(path, O_CREAT | O_RDWR, 0644);
}

static int one(int fd, const char* what, const char* how, long offset, long bytes, int odd) {
  const int reads = what[0] == 'r';
  if (how[1] == 't')
    return (reads ? pread(fd, data + odd, bytes, offset) : pwrite(fd, data + odd, bytes, offset)) == bytes;
  lseek(fd, offset, SEEK_SET);
  return (reads ? read(fd, data + odd, bytes) : write(fd, data + odd, bytes)) == bytes;
}

int main(int argc, char** argv) {
  char line[128], what[16], how[16];
  long offset, bytes;
  int odd, fd = -1;
  FILE* script = argc == 4 ? fopen(argv[1], "r") : NULL;
  if (script == NULL) return 2;
  fd = reopened(argv[2], fd);
  while (fgets(line, sizeof line, script) != NULL) {
    const int words = sscanf(line, "%15s %15s %ld %ld %d", what, how, &offset, &bytes, &odd);
    if (strcmp(what, "sync") == 0) fsync(fd);
    else if (strcmp(what, "reopen") == 0) fd = reopened(argv[2], fd);
    else if (words != 5 || !one(fd, what, how, offset, bytes, odd)) return 3;
  }
  if (strcmp(argv[3], "kill") == 0) raise(SIGKILL);
  return 0;
}
