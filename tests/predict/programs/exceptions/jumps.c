// setjmp and longjmp: errors of a library, as libpng has them, and iterations of an interpreter.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct decoder {
  jmp_buf failed;
  int left;
};

static void fails(struct decoder* one, int code) { longjmp(one->failed, code); }

static void decode(struct decoder* one, FILE* out) {
  fprintf(out, "row %d\n", one->left);
  if (--one->left == 0) fails(one, 3);
  decode(one, out);
}

static int file(const char* name, int rows) {
  struct decoder one;
  FILE* out = fopen(name, "w");
  one.left = rows;
  int code = setjmp(one.failed);
  if (code != 0) {
    fprintf(out, "error %d\n", code);
    fclose(out);
    return code;
  }
  decode(&one, out);
  fputs("never\n", out);
  return 0;
}

static sigjmp_buf top;
static volatile int errors;

static void statement(int i, FILE* log) {
  fputs("statement\n", log);
  if (i % 3 == 0) siglongjmp(top, 0);
  fputs("done\n", log);
}

int main(int argc, char** argv) {
  int iterations = argc > 1 ? atoi(argv[1]) : 10;
  file("few", 2);
  file("many", 50);
  FILE* log = fopen("jumps.log", "w");
  for (volatile int i = 0; i < iterations; ++i) {
    if (sigsetjmp(top, 1) == 0) statement(i, log);
    else ++errors;
  }
  fprintf(log, "%d errors\n", errors);
  fclose(log);
  return 0;
}
