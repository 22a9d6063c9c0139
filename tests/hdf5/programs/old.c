/* A library with the names that 1.8 had, and a program that must not notice that we look at it. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifdef LIBRARY
int H5open(void) { return puts("never called") < 0; }
int H5Fopen(const char* path, unsigned flags, int access) {
  (void)flags, (void)access;
  return open(path, O_RDONLY);
}
int H5Fclose(int file) { return close(file); }
#else
int H5Fopen(const char* path, unsigned flags, int access);
int H5Fclose(int file);
int main(int argc, char** argv) {
  const int file = H5Fopen(argv[argc - 1], 0, 0);
  return file < 0 || H5Fclose(file) != 0;
}
#endif
