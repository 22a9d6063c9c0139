// A function of somewhere else takes a constant text, and returns what nobody knows.
#include <stdio.h>

int stranger(const char* text);

int main(void) {
  const int answer = stranger("abc");
  FILE* out = fopen("known.txt", "w");
  for (int i = 0; i < 10; i++) fputs("x\n", out);
  fclose(out);
  out = fopen("answer.txt", "w");
  for (int i = 0; i < answer; i++) fputs("y\n", out);
  fclose(out);
  return 0;
}
