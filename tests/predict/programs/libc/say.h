/* What a function answers decides how many bytes are written: another answer is another number of bytes. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *said;

static void begin(const char *name) { said = fopen(name, "w"); }

static void say(const char *text) {
  static const char bytes[1024];
  unsigned sum = 5381;
  if (text == NULL) text = "nothing";
  for (const char *c = text; *c != '\0'; ++c) sum = sum * 33 + (unsigned char)*c;
  fwrite(bytes, 1, sum % 1009 + 1, said);
}

static void tell(long number) {
  char text[32];
  snprintf(text, sizeof text, "%ld", number);
  say(text);
}

static void real(double number) {
  char text[64];
  snprintf(text, sizeof text, "%.9g", number);
  say(text);
}
