// Writes, asks about, reads as a stream, and removes as many files as it is told: more than there is memory for.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int files = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < files; ++i) {
    char name[64];
    snprintf(name, sizeof name, "file%06d", i);
    const int fd = open(name, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || write(fd, name, 5) != 5 || close(fd) != 0) return 1;
    struct stat status;
    FILE* stream = fopen(name, "r");
    if (stat(name, &status) != 0 || stream == NULL || fgetc(stream) != 'f' || fclose(stream) != 0) return 1;
    if (unlink(name) != 0) return 1;
  }
  return 0;
}
