// Text cut into words and numbers, sorted, and written by functions behind pointers: options, realloc, setvbuf, writev.
#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct item {
  char name[24];
  int count;
  double price;
};
struct format {
  const char* name;
  void (*write)(const struct item*, size_t, const char*);
};

static void write_text(const struct item* all, size_t n, const char* path) {
  FILE* out = fopen(path, "w");
  setvbuf(out, NULL, _IOFBF, 1 << 16);
  for (size_t i = 0; i < n; ++i) fprintf(out, "%-10s %5d %8.2f\n", all[i].name, all[i].count, all[i].price);
  fclose(out);
}
static void write_raw(const struct item* all, size_t n, const char* path) {
  int out = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  unsigned header[2] = {0x4d455449, (unsigned)n};
  struct iovec parts[2] = {{header, sizeof header}, {(void*)all, n * sizeof *all}};
  if (writev(out, parts, 2) < 0) exit(1);
  close(out);
}
static const struct format formats[] = {{"text", write_text}, {"raw", write_raw}, {NULL, NULL}};

static int by_price(const void* a, const void* b) {
  const struct item *x = a, *y = b;
  return x->price < y->price ? -1 : x->price > y->price;
}

static size_t load(const char* path, struct item** out) {
  FILE* in = fopen(path, "r");
  if (!in) {
    perror(path);
    exit(2);
  }
  char line[256];
  size_t n = 0, capacity = 0;
  while (fgets(line, sizeof line, in)) {
    char* save = NULL;
    char* name = strtok_r(line, ",\n", &save);
    char* count = strtok_r(NULL, ",\n", &save);
    char* price = strtok_r(NULL, ",\n", &save);
    if (!name || !count || !price || !isalpha((unsigned char)name[0])) continue;
    if (n == capacity) *out = realloc(*out, (capacity = capacity ? 2 * capacity : 4) * sizeof **out);
    struct item* one = &(*out)[n++];
    memset(one, 0, sizeof *one);
    strncpy(one->name, name, sizeof one->name - 1);
    one->count = (int)strtol(count, NULL, 10);
    one->price = strtod(price, NULL);
  }
  fclose(in);
  return n;
}

static unsigned long checksum(const char* path) {
  int in = open(path, O_RDONLY);
  struct stat told;
  fstat(in, &told);
  const unsigned char* data = mmap(NULL, (size_t)told.st_size, PROT_READ, MAP_PRIVATE, in, 0);
  unsigned long sum = 0;
  for (off_t i = 0; i < told.st_size; ++i) sum = sum * 31 + data[i];
  munmap((void*)data, (size_t)told.st_size);
  close(in);
  return sum;
}

int main(int argc, char** argv) {
  static const struct option longs[] = {
      {"format", 1, 0, 'f'}, {"output", 1, 0, 'o'}, {"verbose", 0, 0, 'v'}, {0, 0, 0, 0}};
  const char *output = "out", *format = "text";
  int verbose = 0, c;
  while ((c = getopt_long(argc, argv, "f:o:v", longs, NULL)) != -1) {
    if (c == 'f') format = optarg;
    else if (c == 'o') output = optarg;
    else if (c == 'v') ++verbose;
    else return 2;
  }
  struct item* all = NULL;
  size_t n = 0;
  for (int i = optind; i < argc; ++i) n = load(argv[i], &all);
  qsort(all, n, sizeof *all, by_price);
  for (const struct format* one = formats; one->name; ++one)
    if (strcmp(one->name, format) == 0) one->write(all, n, output);
  if (verbose) {
    FILE* log = fopen("shop.log", "a");
    fprintf(log, "%zu items, cheapest %s, sum %lu\n", n, n ? all[0].name : "-", checksum(argv[optind]) % 1000);
    int year, day;
    char word[16];
    float share;
    int got = sscanf("2024-15 x=3.5 [key] rest", "%d-%d x=%f [%15[a-z]]", &year, &day, &share, word);
    fprintf(log, "%d %d %d %.1f %s\n", got, year, day, share, word);
    fclose(log);
  }
  free(all);
  return 0;
}
