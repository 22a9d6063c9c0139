/* Writes a file in three pieces and reads it back in one: what a log of it must count. */

#include <stdio.h>

#include "template.h"

enum { kPiece = 5000, kPieces = 3 };

int main(int argc, char** argv) {
  static char data[kPiece * kPieces];
  if (argc != 2) return fprintf(stderr, "usage: program FILE\n"), 2;
  const int64_t out = template_open(argv[1], 1);
  for (int i = 0; i < kPieces; ++i) {
    if (template_write(out, data, kPiece) != kPiece) return 1;
  }
  if (template_close(out) != 0) return 1;
  const int64_t in = template_open(argv[1], 0);
  if (template_read(in, data, sizeof data) != sizeof data) return 1;
  return template_close(in) == 0 && template_open("/no/such/file", 0) < 0 ? 0 : 1;
}
