// Its constructor runs before ours: the first call that a session sees, and begins with, is one of this handler's.
#include "on_small_stack.h"

static void handler(int signal) {
  (void)signal;
  if (getenv("SMALL_STACKS_AGAIN") == NULL) write_ten("early");
}

__attribute__((constructor)) static void begin(void) { on_handlers_stack(handler); }

void early(void);
void early(void) {}
