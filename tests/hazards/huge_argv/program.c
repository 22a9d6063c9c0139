// A command line as long as the kernel allows.
#include "../check.h"

int main(int argc, char** argv) {
  write_tens(open_new("data"), argc > 10000 && strlen(argv[1]) == 100 ? 2 : 1);
  return 0;
}
