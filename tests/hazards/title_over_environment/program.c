// A program that shows its state in `ps` writes a title over its arguments and its environment. Most move the
// environment away first (servers, Python's setproctitle); some do not, and what they start gets what is left of it.
#include "../check.h"

#include <string.h>

extern char** environ;

static void write_title(char** argv, int move) {
  char* end = argv[0];
  int count = 0;
  while (environ[count] != NULL) ++count;
  char** moved = calloc(count + 1, sizeof *moved);
  for (int i = 0; i < count; ++i) {
    char* behind = environ[i] + strlen(environ[i]) + 1;
    if (behind > end) end = behind;
    moved[i] = strdup(environ[i]);
  }
  if (move) environ = moved;
  memset(argv[0], 0, end - argv[0]);
  strcpy(argv[0], "title");
}

int main(int argc, char** argv) {
  if (argc > 1) return write_tens(open_new("started"), 7), 0;
  write_tens(open_new("before"), 1);
  const pid_t rewritten = fork();
  if (rewritten == 0) {
    write_title(argv, 0);
    write_tens(open_new("rewritten"), 2);
    execl("/proc/self/exe", "program", "again", (char*)NULL);
    _exit(1);
  }
  wait_for(rewritten);
  write_title(argv, 1);
  write_tens(open_new("moved"), 3);
  const pid_t child = fork();
  if (child == 0) {
    write_tens(open_new("child"), 4);
    exit(0);
  }
  wait_for(child);
  write_tens(open_new("after"), 5);
  return 0;
}
