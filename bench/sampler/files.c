// PROCESSES processes with FILES files each, of which one in a hundred is written to over and over, for so many seconds.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int open_file(const char* folder, int process, int number) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d-%d", folder, process, number);
  return open(path, O_WRONLY | O_CREAT, 0600);
}

static void work(const char* folder, int process, int files, int until) {
  const char block[64] = {0};
  for (int i = 0; i < files; ++i) {
    const int file = open_file(folder, process, i);
    if (file < 0 || write(file, block, sizeof block) < 0) exit(1);
    close(file);
  }
  int active[64], count = files / 100 < 64 ? files / 100 : 64;
  for (int i = 0; i < count; ++i) active[i] = open_file(folder, process, i * 100);
  while (time(NULL) < until) {
    for (int i = 0; i < count; ++i) {
      if (write(active[i], block, (size_t)(1 + i)) < 0) exit(1);
    }
    usleep(100000);
  }
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int processes = atoi(argv[2]), until = (int)time(NULL) + atoi(argv[4]);
  for (int i = 0; i < processes; ++i) {
    if (fork() == 0) {
      work(argv[1], i, atoi(argv[3]), until);
      _exit(0);
    }
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
