// Children that go on as the same program: they move the positions of their parent's files.
#include "../check.h"

int main(void) {
  const int shared = open_new("shared");
  FILE* stream = fopen("stream", "w");
  CHECK(stream != NULL && setvbuf(stream, NULL, _IONBF, 0) == 0 && fputs("parent\n", stream) >= 0);
  write_tens(shared, 1);
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      char name[16];
      snprintf(name, sizeof name, "own%d", i);
      write_tens(open_new(name), i + 1);
      write_tens(shared, 2);
      CHECK(fputs("child\n", stream) >= 0);
      if (i == 0) exit(0);
      if (i == 1) _exit(0);
      _Exit(0);
    }
    wait_for(child);
  }
  write_tens(shared, 1);
  return 0;
}
