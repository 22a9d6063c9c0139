// Uses a file and a stream, then says how much is mapped and resident. With an argument it locks its memory first.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char** arguments) {
  (void)arguments;
  const int file = open("data", O_CREAT | O_WRONLY, 0600);
  FILE* stream = fopen("stream", "w");
  if (file < 0 || write(file, "ten bytes\n", 10) != 10 || stream == NULL || fputs("text\n", stream) < 0 ||
      fclose(stream) != 0)
    return 1;
  if (count > 1 && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return 77;
  static char text[16384];
  const int status = open("/proc/self/status", O_RDONLY);
  if (status < 0 || read(status, text, sizeof text - 1) <= 0) return 2;
  for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    if (strncmp(line, "VmPeak", 6) == 0 || strncmp(line, "VmRSS", 5) == 0) puts(line);
  }
  return 0;
}
