// A library loaded and unloaded in the middle of things does I/O in its constructor and destructor.
#include "../check.h"

#include <dlfcn.h>

int main(void) {
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen("./libpart.so", RTLD_NOW);
    CHECK(library != NULL && dlclose(library) == 0);
  }
  return 0;
}
