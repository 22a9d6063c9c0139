/* A library to preload that does nothing but make a file of four pages in FLOOR_DIRECTORY, map it, and remove it at the end:
   what any process pays whose data is to outlive it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kBytes = 16384 };
static char path[4096];

__attribute__((constructor)) static void begin(void) {
  static char page[kBytes];
  const char* directory = getenv("FLOOR_DIRECTORY");
  if (directory == NULL) return;
  snprintf(path, sizeof path, "%s/floor-%d", directory, (int)getpid());
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (pwrite(file, page, kBytes, 0) == kBytes) {
    int* map = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (map != MAP_FAILED) *map = 1;
  }
  close(file);
}

__attribute__((destructor)) static void end(void) { unlink(path); }
