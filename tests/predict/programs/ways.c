// Names that lead to the same file: links of both kinds, dots, folders that are renamed. What is written by one name is read
// by the other. argv[1]: how many links and renames are made.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char pad[8192];
static int out;
#define SAY(value) write(out, pad, (size_t)(value) & 4095)
#define TRY(call) SAY((call) == 0 ? 1 : errno + 1)

static void put(const char* name, int flags, int bytes) {
  int file = open(name, O_CREAT | O_WRONLY | flags, 0644);
  if (file < 0) return;
  write(file, pad, bytes);
  close(file);
}
static long get(const char* name) {
  int file = open(name, O_RDONLY);
  if (file < 0) return 500 + errno;
  long bytes = read(file, pad, sizeof pad);
  close(file);
  return bytes;
}

static void soft(int count) {
  put("real", O_TRUNC, 100);
  TRY(symlink("real", "soft"));
  TRY(symlink("real", "soft"));
  put("soft", O_APPEND, 20);
  SAY(get("real"));
  SAY(get("soft"));
  char text[64];
  SAY(readlink("soft", text, sizeof text));
  SAY(readlink("soft", text, 2));
  SAY(readlink("real", text, sizeof text) < 0 ? errno : 1);
  struct stat told;
  lstat("soft", &told);
  SAY(S_ISLNK(told.st_mode) ? 50 + told.st_size : 1);
  stat("soft", &told);
  SAY(S_ISREG(told.st_mode) ? 50 + told.st_size : 1);
  TRY(unlink("soft"));
  SAY(get("soft"));
  SAY(get("real"));
  TRY(symlink("gone", "dangling"));
  SAY(get("dangling"));
  SAY(open("dangling", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 ? errno : 1);
  SAY(open("dangling", O_RDONLY | O_NOFOLLOW) < 0 ? errno : 1);
  put("dangling", 0, 33);
  SAY(get("gone"));
  for (int i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "soft%d", i);
    symlink(i == 0 ? "real" : "soft0", name);
    SAY(get(name) + i % 5);
  }
}

static void hard(int count) {
  put("first", O_TRUNC, 10);
  TRY(link("first", "second"));
  TRY(link("first", "second"));
  TRY(link("none", "third"));
  put("second", O_APPEND, 5);
  SAY(get("first"));
  struct stat told;
  stat("first", &told);
  SAY(told.st_nlink);
  TRY(unlink("first"));
  SAY(get("first"));
  SAY(get("second"));
  for (int i = 0; i < count; ++i) {  // as locks are made
    put("mine", O_TRUNC, 3);
    if (link("mine", "lock") == 0) put("second", O_APPEND, 1);
    unlink("mine");
    if (i % 2 == 1) unlink("lock");
  }
  SAY(get("second"));
}

static void folders(void) {
  char whole[PATH_MAX], here[PATH_MAX];
  mkdir("one", 0755);
  mkdir("one/inner", 0755);
  put("one/a", 0, 11);
  put("one/inner/b", 0, 22);
  TRY(symlink("one/inner", "short"));
  SAY(get("short/b"));
  put("short/c", 0, 44);
  SAY(get("one/inner/c"));
  getcwd(here, sizeof here);
  SAY(strlen(realpath("short/../a", whole)) - strlen(here));
  SAY(realpath("short/none", whole) == NULL ? errno : 1);
  char* own = realpath("./one//inner/../a", NULL);
  SAY(strlen(own) - strlen(here));
  free(own);
  own = canonicalize_file_name("short/c");
  SAY(strlen(own) - strlen(here));
  free(own);
  chdir("short");
  SAY(get("../a"));
  SAY(strlen(getcwd(whole, sizeof whole)) - strlen(here));
  chdir(here);
  TRY(rename("one", "one/inner/none"));
  TRY(rename("one", "two"));
  SAY(get("one/a"));
  SAY(get("two/a"));
  SAY(get("two/inner/b"));
  SAY(get("short/b"));
  mkdir("empty", 0700);
  put("file", 0, 6);
  TRY(rename("two", "file"));
  TRY(rename("file", "two"));
  TRY(rename("empty", "two"));
  TRY(rename("two", "empty"));
  SAY(get("empty/inner/c"));
  TRY(rename("nothing", "else"));
  TRY(rename("file", "nowhere/file"));
}

static void replaced(int count) {
  for (int i = 0; i < count; ++i) {
    put("next.tmp", O_TRUNC, 50 + i % 3);
    if (rename("next.tmp", "state") != 0) exit(1);
  }
  SAY(get("state"));
  int file = open("state", O_RDWR);
  rename("state", "state.old");
  write(file, pad, 200);
  close(file);
  SAY(get("state.old"));
  SAY(get("state"));
  file = open("unnamed", O_CREAT | O_RDWR, 0600);
  write(file, pad, 64);
  unlink("unnamed");
  lseek(file, 0, SEEK_SET);
  SAY(read(file, pad, 100));
  struct stat told;
  fstat(file, &told);
  SAY(told.st_size);
  close(file);
  SAY(get("unnamed"));
  FILE* stream = fopen("later", "w");
  fputs("written", stream);
  rename("later", "sooner");
  fputs(" and more", stream);
  fclose(stream);
  SAY(get("sooner"));
}

int main(int argc, char** argv) {
  out = open("answers", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  soft(atoi(argv[1]));
  hard(atoi(argv[1]));
  folders();
  replaced(atoi(argv[1]));
  SAY(get("given/link"));
  SAY(get("given/away"));
  rename("given/text", "moved");
  SAY(get("moved"));
  int file = open("moved", O_RDONLY);
  char number[16] = "";
  read(file, number, 15);
  for (int i = 0; i < atoi(number); ++i) SAY(i);
  close(file);
  return 0;
}
