// The loader does not preload into programs that run with other rights than their caller's.
#include "../check.h"

int main(int argc, char** argv) {
  if (argc > 1) {
    CHECK(getuid() != geteuid());
    write_tens(open_new("unseen"), 1);
    return 0;
  }
  write_tens(open_new("seen"), 1);
  const pid_t child = fork();
  if (child == 0) {
    execl("./program.setuid", argv[0], "child", (char*)NULL);
    _exit(1);
  }
  wait_for(child);
  return 0;
}
