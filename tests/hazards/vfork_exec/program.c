// A vfork child does as it likes with its descriptors, in its parent's memory.
#include "../check.h"

int main(int argc, char** argv) {
  if (argc > 1) {  // what the child becomes
    write_tens(1, 4);
    return 0;
  }
  const int parents = open_new("parents"), childs = open_new("childs");
  write_tens(parents, 1);
  for (int i = 0; i < 2; ++i) {
    const pid_t child = vfork();
    if (child == 0) {
      dup2(childs, 1);
      close(parents);
      close(childs);
      if (i == 1) execl("/nowhere/at/all", "nowhere", (char*)NULL);
      execl(argv[0], argv[0], "child", (char*)NULL);
      _exit(1);
    }
    wait_for(child);
    write_tens(parents, 2);
    write_tens(childs, 1);
  }
  return 0;
}
