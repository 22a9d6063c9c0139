/* Steps of a program that logs what it does, or reads a table: with a bad habit, or without it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 30000 };

static void log_steps(int keeps_open) {
  FILE* log = NULL;
  for (int step = 0; step < STEPS; step++) {
    if (log == NULL) log = fopen("steps.log", "a");
    fprintf(log, "step %d: residual %g\n", step, 1.0 / (step + 1));
    if (keeps_open) continue;
    fclose(log);
    log = NULL;
  }
  if (log != NULL) fclose(log);
}

static void count_lines(int is_buffered) {
  FILE* text = fopen("text", "r");
  if (!is_buffered) setvbuf(text, NULL, _IONBF, 0);
  long lines = 0;
  for (int c; (c = fgetc(text)) != EOF;) lines += c == '\n';
  printf("%ld\n", lines);
  fclose(text);
}

/* A mark for whoever restarts: 200 records of 8 KiB, each made safe, or all of them together. */
static void checkpoint(int at_end) {
  char record[8192];
  memset(record, 1, sizeof record);
  const int file = open("state", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 200; i++) {
    if (write(file, record, sizeof record) < 0 || (!at_end && fsync(file) != 0)) _exit(1);
  }
  if (fsync(file) != 0) _exit(1);
  close(file);
}

/* Waits for a mark that never comes: asks for it in every step, or in every thousandth. */
static void look_for_stop(int seldom) {
  struct stat found;
  for (int step = 0; step < 150000; step++) {
    if (!seldom || step % 1000 == 0) (void)!stat("text", &found);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  const int is_good = argc > 2 && strcmp(argv[2], "good") == 0;
  if (strcmp(what, "log") == 0) log_steps(is_good);
  if (strcmp(what, "count") == 0) count_lines(is_good);
  if (strcmp(what, "checkpoint") == 0) checkpoint(is_good);
  if (strcmp(what, "stop") == 0) look_for_stop(is_good);
  return 0;
}
