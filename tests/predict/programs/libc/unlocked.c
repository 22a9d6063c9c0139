#define _GNU_SOURCE
#include "say.h"

/* Characters that go through the buffers of streams without a call. */
int main(int argc, char** argv) {
  const int count = atoi(argv[2]);
  begin("unlocked.bin");
  FILE* own = fopen("own.txt", "w");
  for (int i = 0; i < count; ++i) putc_unlocked(count > 60000 ? 'x' : i % 7 == 3 ? '\n' : 'a' + i % 26, own);
  fclose(own);
  own = fopen("own.txt", "r");
  long lines = 0, bytes = 0;
  int c;
  while ((c = getc_unlocked(own)) != EOF) lines += c == '\n', ++bytes;
  tell(bytes);
  if (count < 60000) tell(lines); /* else too large to be kept */
  tell(feof(own) != 0);
  rewind(own);
  tell(getc_unlocked(own));
  fclose(own);
  FILE *in = fopen(argv[1], "r"), *out = fopen("copy.txt", "w");
  while ((c = getc_unlocked(in)) != EOF) putc_unlocked(c, out);
  fclose(in), fclose(out);
  for (int i = 0; i < count / 10; ++i) putchar_unlocked('x');
  fclose(said);
  return 0;
}
