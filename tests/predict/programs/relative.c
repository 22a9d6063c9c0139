// Names relative to open folders, what calls refuse, and what they leave. argv[1]: how many files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

extern int __open_2(const char*, int);
extern int __openat_2(int, const char*, int);
extern char* __getcwd_chk(char*, size_t, size_t);
extern char* __realpath_chk(const char*, char*, size_t);
extern ssize_t __readlink_chk(const char*, char*, size_t, size_t);

static char pad[8192];
static int out;
#define SAY(value) write(out, pad, (size_t)(value) & 4095)
#define TRY(call) SAY((call) == 0 ? 1 : errno + 1)
#define OPEN(call) SAY(opened(call))

static int opened(int file) {
  int error = errno;
  if (file < 0) return error + 1;
  close(file);
  return 200;
}

static void many(int folder, int count) {
  for (int i = 0; i < count; ++i) {
    char name[32], next[32];
    snprintf(name, sizeof name, "n%d", i);
    snprintf(next, sizeof next, "renamed%d", i);
    int file = openat(folder, name, O_CREAT | O_WRONLY | O_EXCL, 0600);
    if (file < 0) exit(1);
    write(file, pad, 10);
    close(file);
    if (i % 2 == 0 && renameat(folder, name, AT_FDCWD, next) != 0) exit(2);
  }
  for (int i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, i % 2 == 0 ? "renamed%d" : "n%d", i);
    struct stat told;
    if (fstatat(i % 2 == 0 ? AT_FDCWD : folder, name, &told, 0) != 0) exit(3);
    if (unlinkat(i % 2 == 0 ? AT_FDCWD : folder, name, 0) != 0) exit(4);
  }
}

static void refused(int folder) {
  TRY(mkdirat(folder, "sub", 0755));
  TRY(mkdirat(folder, "sub", 0755));
  TRY(mkdir("none/sub", 0755));
  TRY(mkdir("plain/sub", 0755));
  TRY(mkdir("plain", 0755));
  TRY(rmdir("folder"));
  TRY(rmdir("plain"));
  TRY(rmdir("none"));
  TRY(unlink("folder"));
  TRY(unlink("none"));
  TRY(unlink("plain/x"));
  TRY(unlinkat(folder, "sub", 0));
  TRY(unlinkat(folder, "sub", AT_REMOVEDIR));
  TRY(remove("none"));
  OPEN(open("none", O_RDONLY));
  OPEN(open("none/x", O_CREAT | O_WRONLY, 0600));
  OPEN(open("plain/x", O_CREAT | O_WRONLY, 0600));
  OPEN(open("plain/", O_RDONLY));
  OPEN(open("folder", O_WRONLY));
  OPEN(open("folder", O_RDONLY));
  OPEN(open("folder", O_RDONLY | O_CREAT, 0600));
  OPEN(open("plain", O_RDONLY | O_DIRECTORY));
  OPEN(open("plain", O_CREAT | O_EXCL | O_WRONLY, 0600));
  OPEN(open("", O_RDONLY));
  OPEN(openat(99, "plain", O_RDONLY));
  OPEN(openat(out, "plain", O_RDONLY));
  OPEN(openat(folder, "../plain", O_RDONLY));
  OPEN(openat(AT_FDCWD, "plain", O_RDONLY));
  OPEN(__open_2("plain", O_RDWR));
  OPEN(__openat_2(folder, "none", O_RDONLY));
  SAY(fopen("folder", "w") == NULL ? errno : 1);
  SAY(fopen("plain", "wx") == NULL ? errno : 1);
  SAY(fopen("plain/x", "r") == NULL ? errno : 1);
  TRY(truncate("none", 3));
  TRY(truncate("folder", 3));
  TRY(truncate("plain", 7));
  TRY(chmod("none", 0600));
  TRY(fchmodat(folder, "none", 0600, 0));
  TRY(utimensat(folder, "none", NULL, 0));
  TRY(utimensat(AT_FDCWD, "plain", NULL, 0));
  TRY(faccessat(folder, "none", F_OK, 0));
  TRY(access("plain", X_OK));
  TRY(chmod("plain", 0755));
  TRY(access("plain", X_OK));
  TRY(symlinkat("../plain", folder, "link"));
  TRY(linkat(AT_FDCWD, "plain", folder, "hard", 0));
  TRY(renameat2(AT_FDCWD, "plain", folder, "hard", RENAME_NOREPLACE));
}

static void told_of(int folder) {
  struct stat told;
  struct statx more;
  struct statvfs system;
  char text[4096];
  fstatat(folder, "link", &told, AT_SYMLINK_NOFOLLOW);
  SAY(S_ISLNK(told.st_mode) ? 2 + told.st_size : 1);
  fstatat(folder, "link", &told, 0);
  SAY(S_ISREG(told.st_mode) ? 2 + told.st_size : 1);
  SAY(told.st_mode & 0777);
  fstatat(folder, "", &told, AT_EMPTY_PATH);
  SAY(S_ISDIR(told.st_mode) ? 1 : 2);
  statx(folder, "hard", 0, STATX_SIZE, &more);
  SAY(more.stx_size + 3);
  SAY(more.stx_nlink);
  SAY(readlinkat(folder, "link", text, sizeof text));
  SAY(__readlink_chk("folder/link", text, 3, sizeof text));
  SAY(statvfs("plain", &system) == 0 ? system.f_namemax : 1);
  SAY(pathconf(".", _PC_NAME_MAX));
  SAY(strlen(__getcwd_chk(text, sizeof text, sizeof text)) > 1 ? 5 : 6);
  SAY(__realpath_chk("none", text, sizeof text) == NULL ? errno : 1);
  umask(077);
  close(open("private", O_CREAT | O_WRONLY, 0666));
  stat("private", &told);
  SAY(told.st_mode & 0777);
}

static void exchanged(void) {
  truncate("plain", 7);
  int file = open("other", O_CREAT | O_WRONLY, 0600);
  write(file, pad, 30);
  close(file);
  TRY(renameat2(AT_FDCWD, "plain", AT_FDCWD, "other", RENAME_EXCHANGE));
  struct stat told;
  stat("plain", &told);
  SAY(told.st_size);
  stat("other", &told);
  SAY(told.st_size);
}

int main(int argc, char** argv) {
  out = open("answers", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  mkdir("folder", 0755);
  int folder = open("folder", O_RDONLY | O_DIRECTORY), plain = open("plain", O_CREAT | O_WRONLY, 0644);
  write(plain, pad, 12);
  close(plain);
  many(folder, atoi(argv[1]));
  refused(folder);
  told_of(folder);
  exchanged();
  close(folder);
  return 0;
}
