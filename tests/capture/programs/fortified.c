/* Reads whose size only the caller knows: with _FORTIFY_SOURCE the compiler takes the checked forms. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  char buffer[4096];
  const size_t size = strtoul(argv[3], NULL, 10);
  long got = 0;
  int in = open(argv[1], O_RDONLY);
  for (int i = 0; i < 50; ++i) got += read(in, buffer, size) + pread(in, buffer, size, 100 * i);
  close(in);
  FILE* stream = fopen(argv[1], "r");
  for (int i = 0; i < 50; ++i) got += (long)fread(buffer, 1, size, stream);
  fclose(stream);
  stream = fopen(argv[2], "w");
  for (int i = 0; i < 50; ++i) fprintf(stream, "%zu a line\n", size);
  fclose(stream);
  printf("%ld\n", got);
  return 0;
}
