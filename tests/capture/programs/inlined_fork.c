/* A buffer that the parent has half read when it forks: its bytes are counted once. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "tell.h"

int main(void) {
  int status;
  FILE* f = fopen("forked.bin", "w+");
  for (int i = 0; i < 1000; ++i) putc_unlocked('x', f);
  rewind(f);
  for (int i = 0; i < 600; ++i) MUST(getc_unlocked(f) == 'x');
  pid_t child = fork();
  if (child == 0) _exit(0);
  MUST(waitpid(child, &status, 0) == child && status == 0);
  fclose(f);
  did("forked.bin", "STDIO_BYTES_WRITTEN", 1000), did("forked.bin", "STDIO_BYTES_READ", 600);
  tell();
  return 0;
}
