// Linked statically: nothing can be preloaded. Its children can be seen again.
#include "../check.h"

int main(void) {
  write_tens(open_new("unseen"), 1);
  CHECK(system("echo five > seen") == 0);
  return 5;
}
