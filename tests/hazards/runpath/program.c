// The loader looks for a library where its caller says: the name alone is found beside this program only.
#include "../check.h"

#include <dlfcn.h>

int main(void) {
  void* library = dlopen("libpart.so", RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  void (*work)(void) = (void (*)(void))dlsym(library, "work");
  CHECK(work != NULL);
  work();
  return 0;
}
