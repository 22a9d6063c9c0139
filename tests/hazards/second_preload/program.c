// Another preloaded library wraps the same functions: both see every call, also those that never leave a stream's buffer.
#include "../check.h"

#include <dlfcn.h>
#include <stdio.h>

enum { kCharacters = 50000 };

static long told(const char* name) {
  long (*seen)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, name);
  CHECK((seen != NULL) == (getenv("SECOND_PRELOAD") != NULL));
  return seen != NULL ? seen() : -1;
}

static void put_and_get(void) {
  FILE* stream = fopen("text", "w+");
  CHECK(stream != NULL);
  for (int i = 0; i < kCharacters; ++i) CHECK(fputc(i & 0xff, stream) == (i & 0xff));
  rewind(stream);
  for (int i = 0; i < kCharacters; ++i) CHECK(fgetc(stream) == (i & 0xff));
  CHECK(fgetc(stream) == EOF);
  CHECK(fclose(stream) == 0);
}

int main(void) {
  const int fd = open_new("data");
  write_tens(fd, 25);
  CHECK(close(fd) == 0);
  const long writes = told("writes_seen");
  CHECK(writes == -1 || writes == 25);
  put_and_get();
  const long characters = told("characters_seen");
  CHECK(characters == -1 || characters == 2 * kCharacters + 1);
  return 0;
}
