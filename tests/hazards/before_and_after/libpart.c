// Linked to the program: its constructor runs before any other, its destructor behind all others.
#include "../check.h"

static int early;

__attribute__((constructor(101))) static void first(void) {
  early = open_new("early");
  write_tens(early, 3);
}
__attribute__((destructor(101))) static void last(void) { write_tens(early, 2); }

int early_descriptor(void) { return early; }
