// A library with a libc of its own: its calls cannot be seen, but nothing may break.
#include "../check.h"

#include <dlfcn.h>

int main(void) {
  void* library = dlmopen(LM_ID_NEWLM, "./libpart.so", RTLD_NOW);
  CHECK(library != NULL);
  int (*write_apart)(void) = (int (*)(void))dlsym(library, "write_apart");
  CHECK(write_apart != NULL && write_apart() == 0);
  CHECK(dlmopen(LM_ID_BASE, "./libmissing.so", RTLD_NOW) == NULL);
  write_tens(open_new("seen"), 2);
  return 0;
}
