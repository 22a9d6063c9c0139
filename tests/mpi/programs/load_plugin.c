#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  void* plugin = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) return fprintf(stderr, "%s\n", dlerror()), 4;
  int (*run)(const char*) = (int (*)(const char*))dlsym(plugin, "run");
  return run == NULL ? 5 : run(argv[1]);
}
