/* Every way to read and write through a stream. FORTIFY makes the checked forms of what the sizes of are known. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <wchar.h>

#include "tell.h"

static char data[4096];
/* Called, not put into the program: those are in inlined.c. */
static int (*volatile put[])(int, FILE*) = {fputc_unlocked, putc_unlocked};
static int (*volatile get[])(FILE*) = {fgetc_unlocked, getc_unlocked};

static void wrote(const char* file, long n) { did(file, "STDIO_WRITES", 1), did(file, "STDIO_BYTES_WRITTEN", n); }
static void got(const char* file, long n) { did(file, "STDIO_READS", 1), did(file, "STDIO_BYTES_READ", n); }

static int list(FILE* f, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vfprintf(f, format, arguments);
  va_end(arguments);
  return n;
}

static void writing(void) {
  FILE* f = fopen("out.txt", "w");
  MUST(f != NULL);
  did("out.txt", "STDIO_OPENS", 1);
  MUST(fwrite(data, 10, 20, f) == 20), wrote("out.txt", 200);
  MUST(fwrite_unlocked(data, 1, 100, f) == 100), wrote("out.txt", 100);
  MUST(fputs("line\n", f) >= 0), wrote("out.txt", 5);
  MUST(fputs_unlocked("line\n", f) >= 0), wrote("out.txt", 5);
  MUST(fputc('a', f) == 'a' && putc('b', f) == 'b' && put[0]('c', f) == 'c' && put[1]('d', f) == 'd');
  for (int i = 0; i < 4; ++i) wrote("out.txt", 1);
  MUST(putw(7, f) == 0), wrote("out.txt", 4);
  MUST(fprintf(f, "%d %s\n", 12345, "text") == 11), wrote("out.txt", 11);
  MUST(list(f, "%08x", 255) == 8), wrote("out.txt", 8);
  MUST(fflush(f) == 0 && fflush(NULL) == 0);
  did("out.txt", "STDIO_FLUSHES", 2);
  MUST(fseek(f, 0, SEEK_SET) == 0 && fseeko(f, 10, SEEK_CUR) == 0 && fseeko64(f, 0, SEEK_END) == 0);
  rewind(f);
  fpos_t where;
  MUST(fgetpos(f, &where) == 0 && fsetpos(f, &where) == 0);
  did("out.txt", "STDIO_SEEKS", 5);
  fclose(f);
}

static void reading(void) {
  char text[128], *line = NULL;
  size_t size = 0;
  int a, b;
  FILE* f = fopen("in.txt", "w+");
  MUST(f != NULL);
  did("in.txt", "STDIO_OPENS", 1);
  for (int i = 0; i < 100; ++i) MUST(fprintf(f, "%03d 12345\n", i) == 10), wrote("in.txt", 10);
  rewind(f);
  did("in.txt", "STDIO_SEEKS", 1);
  MUST(fgets(text, sizeof text, f) != NULL), got("in.txt", 10);
  MUST(fgets_unlocked(text, sizeof text, f) != NULL), got("in.txt", 10);
  MUST(getline(&line, &size, f) == 10 && getdelim(&line, &size, ' ', f) == 4), got("in.txt", 10), got("in.txt", 4);
  MUST(fgetc(f) == '1' && getc(f) == '2' && get[0](f) == '3' && get[1](f) == '4');
  for (int i = 0; i < 4; ++i) got("in.txt", 1);
  MUST(fread(text, 1, 2, f) == 2), got("in.txt", 2);
  MUST(fread_unlocked(text, 10, 3, f) == 3), got("in.txt", 30);
  MUST(fscanf(f, "%d %d\n", &a, &b) == 2 && a == 7), got("in.txt", 10);
  getw(f), got("in.txt", 4);
  while (fgetc(f) != EOF) got("in.txt", 1);
  MUST(fread(text, 1, 1, f) == 0); /* the end: no read, no failure */
  free(line);
  fclose(f);
}

static void wide(void) {
  wchar_t text[32];
  FILE* f = fopen("wide.txt", "w+");
  did("wide.txt", "STDIO_OPENS", 1);
  MUST(fputwc(L'x', f) == L'x' && putwc(L'y', f) == L'y'), wrote("wide.txt", 1), wrote("wide.txt", 1);
  MUST(fputws(L"wide\n", f) >= 0), wrote("wide.txt", 5);
  MUST(fwprintf(f, L"%d\n", 77) == 3), wrote("wide.txt", 3);
  rewind(f);
  did("wide.txt", "STDIO_SEEKS", 1);
  MUST(fgetwc(f) == L'x' && getwc(f) == L'y'), got("wide.txt", 1), got("wide.txt", 1);
  MUST(fgetws(text, 32, f) != NULL), got("wide.txt", 5);
  fclose(f);
}

/* Without a name, with a new one, on a descriptor. */
static void others(void) {
  FILE* f = fopen("first.txt", "w");
  MUST(fputs("12345", f) >= 0), wrote("first.txt", 5);
  f = freopen("second.txt", "w", f);
  MUST(f != NULL && fputs("123456", f) >= 0), wrote("second.txt", 6);
  f = freopen(NULL, "a", f);
  MUST(f != NULL && fputs("1", f) >= 0), wrote("second.txt", 1);
  fclose(f);
  did("first.txt", "STDIO_OPENS", 1), did("second.txt", "STDIO_OPENS", 2);
  int fd = open("fd.txt", O_CREAT | O_RDWR | O_TRUNC, 0644);
  f = fdopen(fd, "w");
  MUST(f != NULL && fileno(f) == fd && fwrite(data, 1, 50, f) == 50), wrote("fd.txt", 50);
  fclose(f);
  did("fd.txt", "STDIO_OPENS", 1), did("fd.txt", "STDIO_FDOPENS", 1), did("fd.txt", "POSIX_FILENOS", 1);
  did("fd.txt", "POSIX_OPENS", 1);
  f = tmpfile();
  MUST(f != NULL && fwrite(data, 1, 60, f) == 60), wrote("/tmp/<tmpfile>", 60);
  fclose(f);
  f = popen("cat", "w");
  MUST(f != NULL && fputs("piped\n", f) >= 0 && pclose(f) == 0), wrote("<POPEN>", 6);
  did("<POPEN>", "STDIO_OPENS", 1);
  MUST(fopen("nowhere/x", "r") == NULL && errno == ENOENT);
  did("", "STDIO ENOENT", 1);
  f = fopen("second.txt", "r");
  did("second.txt", "STDIO_OPENS", 1);
  MUST(fputc('x', f) == EOF);
  did("second.txt", "STDIO EBADF", 1);
  fclose(f);
}

int main(void) {
  writing();
  reading();
  wide();
  others();
  tell();
  return 0;
}
