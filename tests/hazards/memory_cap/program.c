// More files than there is memory for: some share a record, and every sum is still right.
#include "../check.h"

int main(int argc, char** argv) {
  const int files = argc > 1 ? atoi(argv[1]) : 0;
  long bytes = 0, streams = 0;
  FILE* out = fopen("truth", "w");  // while there is a record of its own for it
  for (int i = 0; i < files; ++i) {
    char name[32];
    snprintf(name, sizeof name, "file%06d", i);
    const int fd = open_new(name);
    CHECK(write(fd, name, (size_t)(i % 11)) == i % 11 && close(fd) == 0);
    bytes += i % 11;
    if (i % 10 == 0) {
      FILE* stream = fopen(name, "a");
      CHECK(stream != NULL && fputs("four", stream) >= 0 && fclose(stream) == 0);
      ++streams;
    }
    CHECK(unlink(name) == 0);
  }
  CHECK(out != NULL &&
        fprintf(out, "POSIX_OPENS %d\nPOSIX_WRITES %d\nPOSIX_BYTES_WRITTEN %ld\n", files, files, bytes) > 0);
  CHECK(fprintf(out, "STDIO_OPENS %ld\nSTDIO_BYTES_WRITTEN %ld\n", streams, 4 * streams) > 0 && fclose(out) == 0);
  return 0;
}
