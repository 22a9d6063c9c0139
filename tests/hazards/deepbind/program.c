// A library that looks past preloaded ones for its symbols: its calls cannot be seen, but nothing may break.
#include "../check.h"

#include <dlfcn.h>

int main(void) {
  const int seen = open_new("seen");
  write_tens(seen, 3);
  void* library = dlopen("./libpart.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  CHECK(library != NULL);
  int (*write_behind)(int) = (int (*)(int))dlsym(library, "write_behind");
  CHECK(write_behind != NULL && write_behind(seen) == 0);  // also closes `seen`
  const int again = open_new("again");
  CHECK(again == seen);
  write_tens(again, 2);
  return 0;
}
