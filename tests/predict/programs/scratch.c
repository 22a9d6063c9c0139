// Files whose names the library chooses, and streams that become other files. argv[1]: how many of each.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char pad[8192];
static int out;
#define SAY(value) write(out, pad, (size_t)(value) & 4095)

static void temporaries(int count) {
  for (int i = 0; i < count; ++i) {
    char name[] = "tmp.XXXXXX", ending[] = "tmp.XXXXXX.bin";
    int file = mkstemp(name), other = mkostemps(ending, 4, O_APPEND);
    if (file < 0 || other < 0) exit(1);
    write(file, pad, 100 + i % 10);
    write(other, pad, 50);
    struct stat told;
    stat(name, &told);
    SAY(told.st_size);
    SAY(told.st_mode & 0777);
    SAY(strlen(name) + strlen(ending));
    close(file);
    close(other);
    unlink(name);
    unlink(ending);
  }
  char bad[] = "tmp.XXXX", missing[] = "none/tmp.XXXXXX";
  SAY(mkstemp(bad) < 0 ? errno : 1);
  SAY(mkstemp(missing) < 0 ? errno : 1);
}

static void folders(int count) {
  for (int i = 0; i < count; ++i) {
    char name[] = "dir.XXXXXX", within[64];
    if (mkdtemp(name) == NULL) exit(2);
    snprintf(within, sizeof within, "%s/file", name);
    FILE* stream = fopen(within, "w");
    fprintf(stream, "%s", "text");
    fclose(stream);
    SAY(rmdir(name) == 0 ? 1 : errno);
    unlink(within);
    SAY(rmdir(name) == 0 ? 1 : errno);
  }
}

static void nameless(int count) {
  FILE* kept = tmpfile();
  for (int i = 0; i < count; ++i) {
    FILE* stream = tmpfile();
    fwrite(pad, 1, 10 + i, stream);
    rewind(stream);
    SAY(fread(pad, 1, sizeof pad, stream));
    fclose(stream);
    fputs("abc", kept);
  }
  SAY(ftell(kept));
  fclose(kept);
  int file = open(".", O_TMPFILE | O_RDWR, 0600);
  if (file < 0) return;
  write(file, pad, 500);
  lseek(file, 0, SEEK_SET);
  SAY(read(file, pad, 1000));
  close(file);
}

static void reopened(void) {
  FILE* stream = fopen("one.txt", "w");
  fputs("first", stream);
  stream = freopen("two.txt", "w", stream);
  fputs("second file", stream);
  stream = freopen("two.txt", "r", stream);
  SAY(fread(pad, 1, 100, stream));
  stream = freopen("none/x", "r", stream);
  SAY(stream == NULL ? errno : 1);
  freopen("output.txt", "w", stdout);
  printf("to a file %d\n", 12);
  puts("and more");
  fclose(stdout);
}

int main(int argc, char** argv) {
  out = open("answers", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  temporaries(atoi(argv[1]));
  folders(atoi(argv[1]));
  nameless(atoi(argv[1]));
  reopened();
  return 0;
}
