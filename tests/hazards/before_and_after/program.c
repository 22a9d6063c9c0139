// I/O before main (constructors of libraries) and behind it (exit handlers, destructors of libraries).
#include "../check.h"

int early_descriptor(void);

static int late;

static void at_end(void) { write_tens(late, 1); }
__attribute__((constructor)) static void before_main(void) { late = open_new("late"); }
__attribute__((destructor)) static void behind_main(void) { write_tens(late, 2); }

int main(void) {
  CHECK(atexit(at_end) == 0);
  write_tens(early_descriptor(), 1);
  return 0;
}
