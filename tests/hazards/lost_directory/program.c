// The working directory is gone: relative names mean nothing, absolute ones still do.
#include "../check.h"

#include <sys/stat.h>

int main(void) {
  char here[4096], name[4200];
  CHECK(getcwd(here, sizeof here) != NULL);
  CHECK(mkdir("gone", 0700) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
  CHECK(open("relative", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOENT);
  snprintf(name, sizeof name, "%s/absolute", here);
  write_tens(open_new(name), 1);
  CHECK(chdir(here) == 0);
  write_tens(open_new("back"), 2);
  return 0;
}
