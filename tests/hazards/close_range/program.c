// Descriptors closed by the range: their numbers are other files afterwards.
#include "../check.h"

#include <sys/syscall.h>

int main(void) {
  const int a = open_new("a"), b = open_new("b"), c = open_new("c");
  write_tens(a, 1), write_tens(b, 1), write_tens(c, 1);
  CHECK(b == a + 1 && c == b + 1);
  CHECK(close_range((unsigned)a, (unsigned)c, 4) == 0);  // only marks them close-on-exec
  write_tens(b, 1);
  CHECK(close_range((unsigned)a, (unsigned)b, 0) == 0);
  int ends[2];
  CHECK(pipe(ends) == 0 && ends[0] == a && ends[1] == b);  // no file at all
  write_tens(ends[1], 3);
  write_tens(c, 1);
  closefrom(a);
  CHECK(open_new("d") == a);
  write_tens(a, 5);
  return 0;
}
