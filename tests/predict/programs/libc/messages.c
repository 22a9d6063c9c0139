#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <signal.h>
#include <stdarg.h>

#include "say.h"

static void at_end(void) {
  FILE* file = fopen("end.txt", "w");
  fputs("it has ended\n", file);
  fclose(file);
}

static void give_up(int code, const char* format, ...) {
  va_list list;
  va_start(list, format);
  verrx(code, format, list);
}

int main(int argc, char** argv) {
  const char* way = argv[1];
  char text[64];
  atexit(at_end);
  begin("messages.bin");
  for (int i = 0; i < 140; ++i) say(strerror(i));
  FILE* missing = fopen("not/there", "r");
  tell(missing == NULL);
  say(strerror(errno));
  fprintf(said, "%s: %m\n", "not/there");
  say(strerror_r(EACCES, text, sizeof text));
  say(strerrorname_np(ENOSPC));
  for (int i = 1; i < 32; ++i) say(strsignal(i));
  perror("first");
  warn("not %d", 1);
  warnx("not %d", 2);
  error(0, ENOENT, "goes on");
  error_at_line(0, 0, "file", 3, "goes on");
  tell(error_message_count);
  psignal(SIGINT, "signal");
  fprintf(stderr, "%s: said by the program\n", "name");
  fflush(said);
  if (strcmp(way, "err") == 0) err(3, "gives up");
  if (strcmp(way, "errx") == 0) errx(4, "gives up: %s", way);
  if (strcmp(way, "verrx") == 0) give_up(5, "gives up: %s", way);
  if (strcmp(way, "error") == 0) error(6, 0, "gives up");
  tell(7);
  fclose(said);
  return 0;
}
