#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <libgen.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "say.h"

#undef basename

static void found(const char* text, const void* position) {
  tell(position == NULL ? -1 : (const char*)position - text);
}

static void parts(void) {
  const char* text = "one two three two one";
  found(text, memmem(text, 21, "two", 3)), found(text, memmem(text, 21, "four", 4)),
      found(text, memrchr(text, 'w', 21));
  found(text, strchrnul(text, 'q')), found(text, rawmemchr(text, 't')), found(text, index(text, 'h'));
  found(text, rindex(text, 't'));
  tell(strverscmp("file9", "file10") < 0), tell(strverscmp("a", "a"));
  char buffer[64] = "", *rest = buffer, *word;
  found(buffer, stpncpy(buffer, "short", 10)), found(buffer, memccpy(buffer, "ab:cd", ':', 5)), say(buffer);
  strcpy(buffer, "a,b;;c");
  while ((word = strsep(&rest, ",;")) != NULL) say(word);
  tell(ffs(40)), tell(ffsl(1L << 40)), tell(abs(-5));
  strcpy(buffer, "/usr/lib/");
  say(__xpg_basename(buffer)), strcpy(buffer, "/usr/lib/"), say(dirname(buffer));
  strcpy(buffer, "name"), say(dirname(buffer)), strcpy(buffer, "/"), say(dirname(buffer)), say(__xpg_basename(buffer));
  tell(fnmatch("*.t?t", "name.txt", 0)), tell(fnmatch("[a-c]*", "data", 0)), tell(fnmatch("*", "a/b", FNM_PATHNAME));
}

static void numbers(void) {
  char* end;
  const char* texts[] = {"12 apples", "0x1f", "-077", "99999999999999999999", "", "1e400", "inf", "3.25abc", "-1"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    errno = 0;
    tell(strtol(texts[i], &end, 0)), tell(errno), say(end);
    errno = 0;
    tell((long)strtoumax(texts[i], &end, 10)), tell(errno), tell((long)strtoimax(texts[i], &end, 16)), say(end);
    errno = 0;
    real(strtod(texts[i], &end)), tell(errno), say(end);
    real(strtof(texts[i], &end)), real((double)strtold(texts[i], NULL)), real(atof(texts[i])), tell(atoi(texts[i]));
  }
  const div_t small = div(-17, 5);
  const ldiv_t large = ldiv(1000000000007L, 10);
  tell(small.quot), tell(small.rem), tell(large.quot), tell(large.rem);
}

static void taken_apart(const char* format, ...) {
  va_list list;
  va_start(list, format);
  tell(vsscanf("17 words and 2.5", format, list));
  va_end(list);
}

static void scanned(void) {
  int a = 0, b = 0, at = 0;
  long c = 0;
  double d = 0;
  float f = 0;
  char word[32] = "", set[32] = "", *made = NULL;
  tell(sscanf("12345 67", "%3d%n%d", &a, &at, &b)), tell(a), tell(b), tell(at);
  tell(sscanf("key = value; 7", "%31[^ =] = %31[a-z];%ld", word, set, &c)), say(word), say(set), tell(c);
  tell(sscanf("2.5e3,0x1F 50% x", "%lf,%x %d%% %c", &d, &a, &b, word)), real(d), tell(a), tell(b), tell(word[0]);
  tell(sscanf("", "%d", &a)), tell(sscanf("abc", "%d", &a)), tell(sscanf("1 x", "%d %d", &a, &b));
  tell(sscanf("allocated text", "%ms", &made)), say(made), free(made);
  tell(sscanf("9 8 7", "%*d %d %f", &a, &f)), tell(a), real(f);
  taken_apart("%d %s %*s %lf", &a, word, &d), tell(a), say(word), real(d);
}

static char* made_text(const char* format, ...) {
  char* text = NULL;
  va_list list;
  va_start(list, format);
  tell(vasprintf(&text, format, list));
  va_end(list);
  return text;
}

static void printed(void) {
  char* text = NULL;
  tell(asprintf(&text, "%-10s|%5.2f|%+d", "left", 3.14159, 42)), say(text), free(text);
  text = made_text("%s-%d-%c", "name", 7, 'x'), say(text), free(text);
  const char characters[4] = {'a', 'b', 'c', 'd'};
  asprintf(&text, "%.3s|%.*s|%*d|%-*d|", characters, 2, characters, 6, 42, -6, 42), say(text), free(text);
  asprintf(&text, "%hhd %hd %x %#o %lld %zu %05d %a", 300, 70000, 255, 8, 1LL << 40, (size_t)9, 42, 1.0), say(text);
  fprintf(said, "%.*s%600d", 3, "abcdef", 1);
  const int descriptor = open("descriptor.txt", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  tell(dprintf(descriptor, "%d %s\n", 42, "by a descriptor"));
  close(descriptor);
}

static void patterns(int times) {
  regex_t pattern;
  regmatch_t matches[3];
  char text[64];
  tell(regcomp(&pattern, "([a-z]+)([0-9]+)", REG_EXTENDED)), tell(pattern.re_nsub);
  for (int i = 0; i < times; ++i) {
    snprintf(text, sizeof text, "--item%d--", i * 7);
    if (regexec(&pattern, text, 3, matches, 0) != 0) continue;
    tell(matches[0].rm_so), tell(matches[1].rm_eo), tell(matches[2].rm_eo);
  }
  tell(regexec(&pattern, "nothing", 0, NULL, 0));
  regfree(&pattern);
  const int code = regcomp(&pattern, "(open", REG_EXTENDED);
  tell(regerror(code, &pattern, text, sizeof text)), say(text);
}

static void streams(int lines) {
  char* text = NULL;
  size_t size = 0;
  FILE* memory = open_memstream(&text, &size);
  for (int i = 0; i < lines; ++i) fprintf(memory, "line %d\n", i * i);
  fflush(memory), tell(size);
  fputs("end", memory), fclose(memory), tell(size), say(text);
  FILE* reader = fmemopen(text, size, "r");
  char line[32];
  int count = 0, number = 0, sum = 0;
  while (fgets(line, sizeof line, reader) != NULL)
    sum += sscanf(line, "line %d", &number) == 1 ? number % 10 : 0, ++count;
  tell(count), tell(sum), fclose(reader), free(text);
  char fixed[64] = "";
  FILE* writer = fmemopen(fixed, sizeof fixed, "w");
  fprintf(writer, "%d and %s", 42, "text"), fclose(writer), say(fixed);
  FILE* file = fopen("lines.txt", "w");
  for (int i = 0; i < lines; ++i) fprintf(file, "key%d:value;", i);
  fputs_unlocked("xyz\n", file), fwrite_unlocked("abcdefghijklmnopqrstuvwxyz", 1, lines % 20 + 1, file),
      fwrite("none", 1, 0, file), fprintf(file, "%s", "");
  fclose(file);
  file = fopen("lines.txt", "r");
  char* part = NULL;
  size_t capacity = 0;
  ssize_t got;
  while ((got = getdelim(&part, &capacity, ';', file)) > 0) tell(got);
  tell(feof_unlocked(file) != 0), say(part);
  clearerr(file), tell(feof(file));
  fpos_t position;
  rewind(file), fgets_unlocked(line, 5, file), say(line), fgetpos(file, &position);
  tell(__freading(file) != 0), fscanf(file, "%3s", line), say(line);
  fsetpos(file, &position), fscanf(file, "%3s", line), say(line);
  fclose(file), free(part);
}

int main(int argc, char** argv) {
  begin("texts.bin");
  parts(), numbers(), scanned(), printed();
  patterns(atoi(argv[1])), streams(atoi(argv[1]));
  for (int c = -1; c < 256; ++c)
    fwrite("0123456789abcdef", 1, !!isxdigit(c) + 2 * !!isgraph(c) + 4 * !!iscntrl(c) + 8 * !!isblank(c), said);
  int* numbers = reallocarray(NULL, 10, sizeof *numbers);
  numbers[9] = 3, numbers = reallocarray(numbers, 1000, sizeof *numbers), tell(numbers[9]);
  fclose(said);
  return 0;
}
