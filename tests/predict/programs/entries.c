// What is in folders: opendir and its kin, scandir with filters and orders, trees and patterns. What is found decides what
// is opened and written. argv[1]: a folder that is there; argv[2]: how many files are made.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char pad[8192];
static int out;
#define SAY(value) write(out, pad, (size_t)(value) & 4095)

static void make(int count) {
  mkdir("made", 0755);
  for (int i = 0; i < count; ++i) {
    char name[64];
    snprintf(name, sizeof name, "made/f%03d.%s", i, i % 3 == 0 ? "txt" : "dat");
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    write(file, pad, i);
    close(file);
  }
}

static long list(const char* folder) {
  DIR* all = opendir(folder);
  if (all == NULL) return -errno;
  long found = 0, dots = 0, folders = 0;
  for (struct dirent* one = readdir(all); one != NULL; one = readdir(all)) {
    if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0) {
      ++dots;
      continue;
    }
    if (one->d_type == DT_DIR) ++folders;
    if (one->d_type == DT_REG) {
      struct stat told;
      if (fstatat(dirfd(all), one->d_name, &told, 0) != 0) exit(1);
      SAY(told.st_size);
      int file = openat(dirfd(all), one->d_name, O_RDONLY);
      if (file < 0) exit(2);
      found += read(file, pad, sizeof pad);
      close(file);
    }
  }
  rewinddir(all);
  long position = telldir(all), again = 0;
  while (readdir(all) != NULL) ++again;
  seekdir(all, position);
  while (readdir(all) != NULL) ++again;
  if (closedir(all) != 0) exit(3);
  return found + 7 * dots + 100 * folders + again;
}

static long by_descriptor(const char* folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY);
  DIR* all = fdopendir(descriptor);
  if (all == NULL) return 1;
  long characters = 0;
  struct dirent entry, *one;
  while (readdir_r(all, &entry, &one) == 0 && one != NULL) characters += strlen(entry.d_name);
  closedir(all);
  return characters;
}

static int only_text(const struct dirent* one) { return fnmatch("*.txt", one->d_name, FNM_PERIOD) == 0; }
static int backwards(const struct dirent** a, const struct dirent** b) { return strcmp((*b)->d_name, (*a)->d_name); }

static void sorted(const char* folder, int (*filter)(const struct dirent*),
                   int (*order)(const struct dirent**, const struct dirent**)) {
  struct dirent** names;
  int count = scandir(folder, &names, filter, order);
  if (count < 0) {
    SAY(errno);
    return;
  }
  for (int i = 0; i < count; ++i) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", folder, names[i]->d_name);
    SAY(strlen(name) + 10 * i);
    free(names[i]);
  }
  free(names);
  SAY(count);
}

static int visits;
static int visit(const char* path, const struct stat* told, int type, struct FTW* position) {
  ++visits;
  SAY(1000 + 100 * type + 10 * position->level + strlen(path + position->base));
  if (type == FTW_F) {
    FILE* file = fopen(path, "r");
    if (file == NULL) exit(4);
    SAY(fgetc(file) == EOF ? 2 : 3);
    fclose(file);
  }
  return 0;
}
static int remove_it(const char* path, const struct stat* told, int type, struct FTW* position) {
  return remove(path) != 0 ? errno : 0;
}
static int count_it(const char* path, const struct stat* told, int type) { return ++visits == 3 ? 42 : 0; }

static void patterns(void) {
  glob_t found;
  const char* all[] = {"made/*.txt", "made/f00?.dat", "*/f01[0-4]*", "nothing*", "{made,given}/*", "m*"};
  for (int i = 0; i < 6; ++i) {
    int said = glob(all[i], GLOB_BRACE | GLOB_MARK, NULL, &found);
    SAY(said + 1);
    if (said != 0) continue;
    for (size_t k = 0; k < found.gl_pathc; ++k) {
      struct stat told;
      if (stat(found.gl_pathv[k], &told) != 0) exit(5);
      SAY(strlen(found.gl_pathv[k]) + (S_ISDIR(told.st_mode) ? 1000 : told.st_size));
    }
    globfree(&found);
  }
  glob("made/*.txt", 0, NULL, &found);
  glob("none*", GLOB_APPEND | GLOB_NOCHECK, NULL, &found);
  SAY(found.gl_pathc);
  SAY(strlen(found.gl_pathv[found.gl_pathc - 1]));
  globfree(&found);
}

static int by_name(const FTSENT** a, const FTSENT** b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static void tree(char* root, int options) {
  char* roots[] = {root, NULL};
  FTS* all = fts_open(roots, options, by_name);
  for (FTSENT* one = fts_read(all); one != NULL; one = fts_read(all)) {
    SAY(1000 + 100 * one->fts_info + 10 * one->fts_level + one->fts_namelen);
    if (one->fts_info == FTS_D && strcmp(one->fts_name, "deep") == 0) fts_set(all, one, FTS_SKIP);
    if (one->fts_info != FTS_F || (options & FTS_PHYSICAL && !(options & FTS_NOCHDIR))) continue;
    int file = open(one->fts_accpath, O_RDONLY);
    if (file < 0) exit(6);
    SAY(read(file, pad, sizeof pad) + one->fts_statp->st_size);
    close(file);
  }
  fts_close(all);
}

int main(int argc, char** argv) {
  out = open("answers", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  make(atoi(argv[2]));
  SAY(list(argv[1]));
  SAY(list("made"));
  SAY(-list("nowhere"));
  SAY(-list("answers"));
  SAY(by_descriptor("made"));
  SAY(by_descriptor(argv[1]));
  sorted("made", NULL, alphasort);
  sorted("made", only_text, backwards);
  sorted(argv[1], NULL, versionsort);
  sorted("nowhere", NULL, NULL);
  patterns();
  nftw(argv[1], visit, 8, FTW_PHYS);
  nftw("made", visit, 8, FTW_DEPTH | FTW_PHYS);
  SAY(nftw("nowhere", visit, 8, 0) + 2);
  SAY(visits);
  visits = 0;
  SAY(ftw(argv[1], count_it, 4));
  tree(argv[1], FTS_PHYSICAL | FTS_NOCHDIR);
  tree("made", FTS_PHYSICAL);
  tree(argv[1], FTS_LOGICAL);
  SAY(rmdir("made") == 0 ? 1 : errno);
  SAY(nftw("made", remove_it, 8, FTW_DEPTH | FTW_PHYS) + 1);
  SAY(access("made", F_OK) == 0 ? 1 : errno);
  return 0;
}
