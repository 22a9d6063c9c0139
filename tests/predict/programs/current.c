// The current folder: where relative names lead to after chdir and fchdir, and what getcwd says. Each answer is written as
// so many bytes. argv[1]: how many folders are made and gone through.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#undef basename
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char* __xpg_basename(char*);

static char pad[8192];
static int out;
#define SAY(value) write(out, pad, (size_t)(value) & 4095)

static void put(const char* name, int bytes) {
  int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (file >= 0) write(file, pad, bytes), close(file);
}

static void through(int count) {
  for (int i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "part%d", i);
    if (mkdir(name, 0755) != 0) exit(1);
    if (chdir(name) != 0) exit(2);
    put("own.dat", 10 + i % 7);
    if (chdir("..") != 0) exit(3);
  }
  for (int i = count; i-- > 0;) {
    char name[64];
    snprintf(name, sizeof name, "part%d/own.dat", i);
    struct stat told;
    if (stat(name, &told) != 0) exit(4);
    SAY(told.st_size);
  }
}

static void deeper(int count) {
  char back[4096];
  if (getcwd(back, sizeof back) == NULL) exit(5);
  for (int i = 0; i < count && i < 40; ++i) {
    mkdir("deep", 0755);
    if (chdir("deep") != 0) exit(6);
  }
  put("bottom.dat", 77);
  char here[4096];
  SAY(strlen(getcwd(here, sizeof here)) - strlen(back));
  if (getcwd(here, 3) != NULL) exit(7);
  SAY(errno);
  char* own = getcwd(NULL, 0);
  SAY(strcmp(own, here) == 0 ? 11 : 12);
  free(own);
  if (chdir(back) != 0) exit(8);
  FILE* stream = fopen("deep/../deep/none", "r");
  SAY(stream == NULL ? errno : 100);
}

static void by_descriptor(void) {
  mkdir("aside", 0700);
  int before = open(".", O_RDONLY | O_DIRECTORY), folder = open("aside", O_RDONLY);
  if (fchdir(folder) != 0) exit(9);
  put("inside.dat", 5);
  FILE* stream = fopen("text", "w");
  fprintf(stream, "%d lines\n", 3);
  fclose(stream);
  if (fchdir(before) != 0) exit(10);
  close(before);
  if (fchdir(before) != -1) exit(11);
  SAY(errno);
  close(folder);
  SAY(access("inside.dat", F_OK) == 0 ? 1 : errno + 1);
  SAY(access("aside/inside.dat", R_OK) == 0 ? 1 : 2);
  SAY(chdir("nowhere") == 0 ? 1 : errno);
  SAY(chdir("aside/text") == 0 ? 1 : errno);
  int file = open("aside/text", O_RDONLY);
  SAY(fchdir(file) == 0 ? 1 : errno);
  SAY(read(file, pad, 100));
  close(file);
  char* told = get_current_dir_name();
  char here[4096];
  SAY(strlen(told) - strlen(getcwd(here, sizeof here)) + 3);
  free(told);
}

static void parts(void) {
  const char* names[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "a/b/c.txt", "a//b//", "//"};
  for (int i = 0; i < 10; ++i) {
    char copy[64];
    strcpy(copy, names[i]);
    SAY(100 + strlen(dirname(copy)));
    strcpy(copy, names[i]);
    SAY(200 + strlen(__xpg_basename(copy)));
    SAY(300 + strlen(basename(names[i])));
  }
}

int main(int argc, char** argv) {
  mkdir("base", 0755);
  chdir("base");
  out = open("answers", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  through(atoi(argv[1]));
  deeper(atoi(argv[1]));
  by_descriptor();
  parts();
  put("./aside//../last.dat", 9);
  put("last.dat", 4);
  int file = open("aside/../last.dat", O_RDONLY);
  SAY(read(file, pad, 100));
  close(file);
  return 0;
}
