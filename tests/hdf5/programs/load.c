/* load PLUGIN FILE [PLUGIN FILE ...]: loads them all for themselves alone, then lets each work. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* plugins[8] = {0};
  for (int i = 1; i + 1 < argc && i < 8; i += 2) {
    plugins[i] = dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL);
    if (plugins[i] == NULL) return fprintf(stderr, "%s\n", dlerror()), 2;
  }
  for (int i = 1; i + 1 < argc && i < 8; i += 2) {
    int (*work)(const char*) = (int (*)(const char*))dlsym(plugins[i], "work");
    if (work == NULL || work(argv[i + 1]) != 0) return fprintf(stderr, "%s failed\n", argv[i]), 3;
  }
  return 0;
}
