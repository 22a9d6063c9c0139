/* What a program did, told by itself: the truth its log is held against. One line a counter:
 *   file <tab> counter <tab> value
 * `did` adds; everything is printed at the end, on a descriptor that nobody watches. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(condition) ((condition) ? (void)0 : must_not(#condition, __LINE__))
static void must_not(const char* what, int line) {
  char text[256];
  int length = snprintf(text, sizeof text, "line %d: not so: %s\n", line, what);
  if (write(2, text, (size_t)length) != length) _exit(98);
  _exit(97);
}

static struct {
  const char *file, *counter;
  long value;
} told[256];
static int told_count;

__attribute__((unused)) static void did(const char* file, const char* counter, long value) {
  for (int i = 0; i < told_count; ++i) {
    if (!strcmp(told[i].file, file) && !strcmp(told[i].counter, counter)) {
      told[i].value += value;
      return;
    }
  }
  MUST(told_count < 256);
  told[told_count].file = file, told[told_count].counter = counter, told[told_count++].value = value;
}

__attribute__((unused)) static void tell(void) {
  for (int i = 0; i < told_count; ++i) {
    char line[512];
    int length = snprintf(line, sizeof line, "%s\t%s\t%ld\n", told[i].file, told[i].counter, told[i].value);
    MUST(write(1, line, (size_t)length) == length);
  }
}
