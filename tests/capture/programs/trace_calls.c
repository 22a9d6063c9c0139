/* Calls that are in no record of DXT. trace_calls FOLDER */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 2 || chdir(argv[1]) != 0) return 2;
  struct stat facts;
  char data[1000] = {0};
  const int file = open("plain", O_CREAT | O_RDWR, 0600);
  if (file < 0 || write(file, data, 500) != 500 || lseek(file, 100, SEEK_SET) != 100 || fstat(file, &facts) != 0 ||
      fsync(file) != 0 || close(file) != 0)
    return 1;
  FILE* stream = fopen("stream", "w");
  if (stream == NULL) return 1;
  for (int i = 0; i < 3; ++i)
    if (fwrite(data, 1, 1000, stream) != 1000) return 1;
  return fflush(stream) != 0 || fclose(stream) != 0;
}
