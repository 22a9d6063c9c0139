// Another preloaded library wraps the same functions: both see every call.
#include "../check.h"

#include <dlfcn.h>

int main(void) {
  const int fd = open_new("data");
  write_tens(fd, 25);
  CHECK(close(fd) == 0);
  long (*writes_seen)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "writes_seen");
  CHECK(writes_seen == NULL || writes_seen() == 25);
  CHECK(writes_seen != NULL || getenv("SECOND_PRELOAD") == NULL);
  return 0;
}
