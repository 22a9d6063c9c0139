/* Blocks of transfers in segments, through a table of functions and with options of its own, as I/O benchmarks do. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct interface {
  const char* name;
  int (*open)(const char* path, int flags);
  long (*move)(int file, char* data, long bytes, long offset, int writes);
  void (*sync)(int file);
};

static int open_posix(const char* path, int flags) { return open(path, flags, 0644); }
static long move_posix(int file, char* data, long bytes, long offset, int writes) {
  return writes ? pwrite(file, data, bytes, offset) : pread(file, data, bytes, offset);
}
static void sync_posix(int file) { fsync(file); }
static long move_streaming(int file, char* data, long bytes, long offset, int writes) {
  if (lseek(file, offset, SEEK_SET) != offset) return -1;
  return writes ? write(file, data, bytes) : read(file, data, bytes);
}
static const struct interface interfaces[] = {{"placed", open_posix, move_posix, sync_posix},
                                              {"streaming", open_posix, move_streaming, sync_posix}};

struct options {
  const struct interface* interface;
  long block, transfer, segments;
  int write, read, sync_every;
  const char* path;
};

static long size_of(const char* word) {
  char unit = 0;
  long number = 0;
  if (sscanf(word, "%ld%c", &number, &unit) < 1) exit(2);
  return unit == 'g' ? number << 30 : unit == 'm' ? number << 20 : unit == 'k' ? number << 10 : number;
}

static void pass(const struct options* o, char* data, int writes) {
  long done = 0;
  int file = o->interface->open(o->path, writes ? O_CREAT | O_TRUNC | O_RDWR : O_RDONLY);
  if (file < 0) exit(3);
  for (long segment = 0; segment < o->segments; ++segment) {
    for (long at = 0; at < o->block; at += o->transfer) {
      if (o->interface->move(file, data, o->transfer, segment * o->block + at, writes) != o->transfer) exit(4);
      if (writes && o->sync_every > 0 && ++done % o->sync_every == 0) o->interface->sync(file);
    }
  }
  close(file);
}

int main(int argc, char** argv) {
  struct options o = {&interfaces[0], 1 << 20, 1 << 16, 1, 0, 0, 0, "segments.dat"};
  int option;
  while ((option = getopt(argc, argv, "a:b:t:s:o:f:wr")) != -1) {
    switch (option) {
      case 'a':
        for (unsigned i = 0; i < sizeof interfaces / sizeof *interfaces; ++i)
          if (strcmp(optarg, interfaces[i].name) == 0) o.interface = &interfaces[i];
        break;
      case 'b': o.block = size_of(optarg); break;
      case 't': o.transfer = size_of(optarg); break;
      case 's': o.segments = size_of(optarg); break;
      case 'o': o.path = optarg; break;
      case 'f': o.sync_every = atoi(optarg); break;
      case 'w': o.write = 1; break;
      case 'r': o.read = 1; break;
      default: return 1;
    }
  }
  char* data = malloc(o.transfer);
  memset(data, 'x', o.transfer);
  if (o.write) pass(&o, data, 1);
  if (o.read) pass(&o, data, 0);
  free(data);
  return 0;
}
