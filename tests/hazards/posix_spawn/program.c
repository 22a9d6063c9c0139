// posix_spawn opens, copies and closes descriptors inside libc.
#include "../check.h"

#include <spawn.h>

extern char** environ;

int main(int argc, char** argv) {
  if (argc > 1) {
    write_tens(1, 4);
    return 0;
  }
  const int mine = open_new("mine");
  posix_spawn_file_actions_t actions;
  CHECK(posix_spawn_file_actions_init(&actions) == 0);
  CHECK(posix_spawn_file_actions_addopen(&actions, 1, "childs", O_CREAT | O_WRONLY, 0600) == 0);
  CHECK(posix_spawn_file_actions_addclose(&actions, mine) == 0);
  char* const words[] = {argv[0], (char*)"child", NULL};
  pid_t child = 0;
  CHECK(posix_spawn(&child, argv[0], &actions, NULL, words, environ) == 0);
  wait_for(child);
  write_tens(mine, 1);
  FILE* pipe = popen("cat > piped", "w");
  CHECK(pipe != NULL && fputs("twelve bytes", pipe) >= 0 && pclose(pipe) == 0);
  CHECK(system("echo five > system") == 0);
  return 0;
}
