// What stands in the way of evaluating code: assembler that does nothing, or asks what the processor can do.
#include <stdio.h>
#include <stdlib.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

static int has_wide_registers(void) {
#if defined __x86_64__
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AVX);
#else
  return 0;
#endif
}

static void plainly(FILE* out, int count) {
  for (int i = 0; i < count; i++) fputs("abc", out);
}
static void quickly(FILE* out, int count) { plainly(out, count); }

int main(int argc, char** argv) {
  int count = atoi(argv[1]);
  void (*save)(FILE*, int) = has_wide_registers() ? quickly : plainly;
  FILE* out = fopen("out.txt", "w");
  __asm__ volatile("" : "+r"(count) : : "memory");
  save(out, count);
  return fclose(out);
}
