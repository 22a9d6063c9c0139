#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "say.h"

static int variables(void) {
  int count = 0;
  for (char** one = environ; one != NULL && *one != NULL; ++one) ++count;
  return count;
}

int main(int argc, char** argv) {
  begin("surroundings.bin");
  clearenv();
  tell(variables());
  setenv("OUTPUT", "first", 1);
  say(getenv("OUTPUT"));
  setenv("OUTPUT", "second", 0);
  say(getenv("OUTPUT"));
  setenv("OUTPUT", "third, and longer", 1);
  say(getenv("OUTPUT"));
  static char put[] = "LEVEL=3";
  putenv(put);
  tell(atoi(getenv("LEVEL")));
  put[6] = '8';
  tell(atoi(getenv("LEVEL")));
  tell(variables());
  tell(setenv("", "x", 1)), tell(errno);
  tell(setenv("a=b", "x", 1)), tell(errno);
  unsetenv("OUTPUT");
  say(getenv("OUTPUT"));
  putenv("LEVEL");
  say(getenv("LEVEL"));
  tell(variables());
  char name[32];
  for (int i = 0; i < atoi(argv[1]); ++i) {
    snprintf(name, sizeof name, "VARIABLE_%d", i);
    setenv(name, name + 3, 1);
  }
  tell(variables());
  say(getenv(name));
  for (char** one = environ; *one != NULL; ++one) fprintf(said, "%s\n", *one);
  char* own[] = {"ONE=1", "TWO=22", NULL};
  environ = own;
  say(getenv("TWO"));
  setenv("THREE", "333", 1);
  tell(variables()), say(environ[2]), say(secure_getenv("ONE"));
  fclose(said);
  return 0;
}
