/* One bad habit of doing I/O at a time, and the same work done well.
 *
 *   antipatterns ANTIPATTERN bad|good DIRECTORY [TIMES]
 *
 * With TIMES the work is done as often, each time with files in a folder of its own.
 *
 * Each antipattern is named as `trikal insights` names it. Observe it with
 *
 *   trikal run -- ./antipatterns small-writes bad /tmp */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIB = 1 << 20 };
static char block[MIB + 64] __attribute__((aligned(64)));
static char path[4096];
static int bad;

static void must(int holds, const char* what) {
  if (!holds) {
    perror(what);
    exit(1);
  }
}
static const char* in_directory(const char* directory, const char* name) {
  must(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path, "name");
  return path;
}
static int file(const char* directory, const char* name, int flags) {
  int fd = open(in_directory(directory, name), flags, 0600);
  must(fd >= 0, name);
  return fd;
}
static void put(int fd, size_t bytes) { must(write(fd, block, bytes) == (ssize_t)bytes, "write"); }
static void get(int fd, size_t bytes, off_t at) { must(pread(fd, block, bytes, at) == (ssize_t)bytes, "pread"); }
static int filled(const char* directory, int mib) {
  int fd = file(directory, "data", O_CREAT | O_TRUNC | O_RDWR);
  for (int i = 0; i < mib; i++) put(fd, MIB);
  return fd;
}

static void small_writes(const char* d) {
  int fd = file(d, "out", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < (bad ? 16 * MIB / 64 : 16); i++) put(fd, bad ? 64 : MIB);
  close(fd);
}
static void small_reads(const char* d) {
  int fd = filled(d, 16);
  for (off_t at = 0; at < 16 * MIB; at += bad ? 64 : MIB) get(fd, bad ? 64 : MIB, at);
  close(fd);
}
static void reopen(const char* d) {
  int fd = file(d, "log", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < 5000; i++) {
    if (bad) close(fd), fd = file(d, "log", O_WRONLY | O_APPEND);
    put(fd, 100);
  }
  close(fd);
}
static void sync_per_write(const char* d) {
  int fd = file(d, "journal", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < 200; i++) {
    put(fd, 65536);
    if (bad) must(fsync(fd) == 0, "fsync");
  }
  must(fsync(fd) == 0, "fsync");
  close(fd);
}
static void flush_per_write(const char* d) {
  FILE* stream = fopen(in_directory(d, "trace.txt"), "w");
  must(stream != NULL, "fopen");
  for (int i = 0; i < 50000; i++) {
    fprintf(stream, "step %d\n", i);
    if (bad) fflush(stream);
  }
  fclose(stream);
}
static void stat_storm(const char* d) {
  struct stat status;
  close(filled(d, 1));
  for (int i = 0; i < (bad ? 20000 : 1); i++) must(stat(in_directory(d, "data"), &status) == 0, "stat");
}
/* 4 MiB of a file in pieces of 64 bytes, as they are asked for; or sorted, and read together. */
static void random_reads(const char* d) {
  const size_t piece = bad ? 64 : MIB;
  int fd = filled(d, 64);
  unsigned long at = 1;
  for (size_t i = 0; i < 4 * MIB / piece; i++) {
    at = at * 6364136223846793005UL + 1442695040888963407UL;
    get(fd, piece, (off_t)(bad ? (at >> 33) % MIB : i) * (off_t)piece);
  }
  close(fd);
}
static void reread(const char* d) {
  int fd = filled(d, 16);
  for (int i = 0; i < (bad ? 20 : 1); i++)
    for (off_t at = 0; at < 16 * MIB; at += MIB) get(fd, MIB, at);
  close(fd);
}
static void rewrite(const char* d) {
  int fd = file(d, "state", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < (bad ? 40 : 1); i++) must(pwrite(fd, block, MIB, 0) == MIB, "pwrite");
  close(fd);
}
static void seek_per_access(const char* d) {
  int fd = filled(d, 16);
  for (int i = 0; i < 16000; i++) {
    if (bad) must(lseek(fd, (off_t)i * 1024, SEEK_SET) >= 0, "lseek"), must(read(fd, block, 1024) == 1024, "read");
    else get(fd, 1024, (off_t)i * 1024);
  }
  close(fd);
}
static void many_small_files(const char* d) {
  char name[32];
  int fd = bad ? -1 : file(d, "all", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "part%05d", i);
    if (bad) fd = file(d, name, O_CREAT | O_TRUNC | O_WRONLY);
    put(fd, 1024);
    if (bad) close(fd);
  }
  if (!bad) close(fd);
}
static void temporary_churn(const char* d) {
  for (int i = 0; i < 200; i++) {
    char name[32];
    snprintf(name, sizeof name, "temporary%03d", i);
    int fd = bad ? file(d, name, O_CREAT | O_EXCL | O_RDWR) : memfd_create(name, 0);
    put(fd, 65536);
    get(fd, 65536, 0);
    close(fd);
    if (bad) must(unlink(in_directory(d, name)) == 0, "unlink");
  }
}
static void errors(const char* d) {
  for (int i = 0; i < 5000; i++)
    must(!bad || (open(in_directory(d, "not-there"), O_RDONLY) < 0 && errno == ENOENT), "open");
  close(filled(d, 1));
}

static void discarded_output(const char* d) {
  close(filled(d, 32));
  if (bad) must(unlink(in_directory(d, "data")) == 0, "unlink");
}
static void read_back(const char* d) {
  int fd = filled(d, 32);
  for (off_t at = 0; bad && at < 32 * MIB; at += MIB) get(fd, MIB, at);
  close(fd);
}
static void page_cache_speed(const char* d) {
  int fd = filled(d, 16);
  for (off_t at = 0; bad && at < 16 * MIB; at += MIB) get(fd, MIB, at);
  close(fd);
}
static void idle_opens(const char* d) {
  for (int i = 0; i < (bad ? 2000 : 1); i++) close(file(d, "marker", O_CREAT | O_RDWR));
}
static void rescanned_directory(const char* d) {
  close(filled(d, 1));
  for (int i = 0; i < (bad ? 1000 : 1); i++) {
    DIR* folder = opendir(d);
    must(folder != NULL, "opendir");
    while (readdir(folder) != NULL) continue;
    closedir(folder);
  }
}
static void map_per_access(const char* d) {
  int fd = filled(d, 1);
  char sum = 0, *whole = mmap(NULL, MIB, PROT_READ, MAP_SHARED, fd, 0);
  must(whole != MAP_FAILED, "mmap");
  for (int i = 0; i < 5000; i++) {
    off_t at = (off_t)(i % 256) * 4096;
    char* page = bad ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, at) : whole + at;
    must(page != MAP_FAILED, "mmap");
    sum = (char)(sum + *(volatile char*)page);
    if (bad) munmap(page, 4096);
  }
  munmap(whole, MIB);
  close(fd);
}
static void lock_per_access(const char* d) {
  int fd = file(d, "journal", O_CREAT | O_TRUNC | O_WRONLY);
  must(flock(fd, LOCK_EX) == 0, "flock");
  for (int i = 0; i < 5000; i++) {
    if (bad) must(flock(fd, LOCK_UN) == 0 && flock(fd, LOCK_EX) == 0, "flock");
    put(fd, 100);
  }
  close(fd);
}
static void tiny_stream_buffer(const char* d) {
  FILE* stream = fopen(in_directory(d, "points.bin"), "w");
  must(stream != NULL, "fopen");
  if (bad) setvbuf(stream, NULL, _IONBF, 0);
  for (int i = 0; i < 50000; i++) must(fwrite(block, 16, 1, stream) == 1, "fwrite");
  fclose(stream);
}
/* An interpreter that finds its modules in the last of ten folders, or in an archive. */
static void import_storm(const char* d) {
  char name[64];
  for (int i = 0; i < (bad ? 300 : 1); i++) {
    for (int folder = 0; bad && folder < 10; folder++) {
      snprintf(name, sizeof name, "lib%d/module%03d.py", folder, i);
      must(open(in_directory(d, name), O_RDONLY) < 0 && errno == ENOENT, "open");
    }
    snprintf(name, sizeof name, bad ? "module%03d.py" : "modules%d.zip", i);
    int fd = file(d, name, O_CREAT | O_TRUNC | O_RDWR);
    put(fd, bad ? 4096 : MIB);
    get(fd, 4096, 0);
    close(fd);
  }
}
static void misaligned_memory(const char* d) {
  int fd = file(d, "out", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < 1200; i++) must(pwrite(fd, block + (bad ? 1 : 0), 65536, (off_t)i * 65536) == 65536, "pwrite");
  close(fd);
}
static void periodic_bursts(const char* d) {
  int fd = file(d, "steps", O_CREAT | O_TRUNC | O_WRONLY);
  for (int step = 0; step < 5; step++) {
    for (int i = 0; i < 8; i++) put(fd, MIB);
    if (bad) usleep(500000);
  }
  close(fd);
}
static void no_overlap(const char* d) {
  int fd = file(d, "checkpoint", O_CREAT | O_TRUNC | O_WRONLY);
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < 64; i++) put(fd, MIB);
    if (bad) must(fsync(fd) == 0, "fsync"), usleep(400000);
  }
  close(fd);
}

/* 4 MiB of a file in pieces of 64 bytes, as they come; or sorted, and written together. */
static void random_writes(const char* d) {
  const size_t piece = bad ? 64 : MIB;
  int fd = filled(d, 64);
  unsigned long at = 1;
  for (size_t i = 0; i < 4 * MIB / piece; i++) {
    at = at * 6364136223846793005UL + 1442695040888963407UL;
    const off_t offset = (off_t)(bad ? (at >> 33) % MIB : i) * (off_t)piece;
    must(pwrite(fd, block, piece, offset) == (ssize_t)piece, "pwrite");
  }
  close(fd);
}
/* Every record is read, changed and written back; or a megabyte of them at once. */
static void read_write_switches(const char* d) {
  const size_t part = bad ? 256 : MIB;
  int fd = filled(d, 16);
  for (off_t at = 0; at < 16 * MIB; at += (off_t)part) {
    get(fd, part, at);
    must(pwrite(fd, block, part, at) == (ssize_t)part, "pwrite");
  }
  close(fd);
}
static void bulk_through_streams(const char* d) {
  int fd = filled(d, 64);
  FILE* stream = bad ? fopen(in_directory(d, "field"), "w") : NULL;
  for (int i = 0; bad && i < 5 * MIB; i++) must(fwrite(block, 16, 1, stream) == 1, "fwrite");
  for (int i = 0; !bad && i < 80; i++) put(fd, MIB);
  if (bad) fclose(stream);
  close(fd);
}
/* Records of 64 KiB, after a head of 100 bytes or none, written again into a file that memory no longer holds. */
static void misaligned(const char* d) {
  int fd = filled(d, 64);
  fsync(fd), posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), close(fd);
  fd = file(d, "data", O_WRONLY);
  for (off_t i = 0; i < 1020; i++) must(pwrite(fd, block, 65536, i * 65536 + (bad ? 100 : 0)) == 65536, "pwrite");
  close(fd), fd = file(d, "large", O_CREAT | O_TRUNC | O_WRONLY);
  for (int i = 0; i < 16; i++) put(fd, MIB);
  close(fd);
}
/* A quota that ends in the middle of a write. */
static void short_transfers(const char* d) {
  const struct rlimit limit = {bad ? 100000 : RLIM_INFINITY, RLIM_INFINITY};
  must(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
  int fd = file(d, "out", O_CREAT | O_TRUNC | O_WRONLY);
  must(write(fd, block, MIB) == (bad ? 100000 : MIB), "write");
  close(fd);
}

static void metadata_heavy(const char* d) {
  struct stat status;
  close(filled(d, 1));
  for (int i = 0; i < (bad ? 60000 : 1); i++) {
    int fd = file(d, "data", O_RDONLY);
    must(fstat(fd, &status) == 0 && lseek(fd, 0, SEEK_END) == MIB, "looking");
    close(fd);
  }
}
static const struct {
  const char* name;
  void (*commit)(const char* directory);
} kAntipatterns[] = {
    {"small-writes", small_writes},
    {"small-reads", small_reads},
    {"reopen", reopen},
    {"sync-per-write", sync_per_write},
    {"flush-per-write", flush_per_write},
    {"stat-storm", stat_storm},
    {"random-reads", random_reads},
    {"reread", reread},
    {"rewrite", rewrite},
    {"seek-per-access", seek_per_access},
    {"many-small-files", many_small_files},
    {"temporary-churn", temporary_churn},
    {"errors", errors},
    {"discarded-output", discarded_output},
    {"read-back", read_back},
    {"page-cache-speed", page_cache_speed},
    {"idle-opens", idle_opens},
    {"rescanned-directory", rescanned_directory},
    {"map-per-access", map_per_access},
    {"lock-per-access", lock_per_access},
    {"tiny-stream-buffer", tiny_stream_buffer},
    {"import-storm", import_storm},
    {"misaligned-memory", misaligned_memory},
    {"periodic-bursts", periodic_bursts},
    {"no-overlap", no_overlap},
    {"random-writes", random_writes},
    {"read-write-switches", read_write_switches},
    {"bulk-through-streams", bulk_through_streams},
    {"misaligned", misaligned},
    {"short-transfers", short_transfers},
    {"metadata-heavy", metadata_heavy},
};

static void repeat(void (*commit)(const char* directory), const char* directory, int times) {
  static char folder[3000];
  for (int i = 0; i < times; i++) {
    must(snprintf(folder, sizeof folder, "%s/round%d", directory, i) < (int)sizeof folder, "name");
    must(mkdir(folder, 0700) == 0 || errno == EEXIST, "mkdir");
    commit(folder);
  }
}

int main(int argc, char** argv) {
  if ((argc == 4 || argc == 5) && (strcmp(argv[2], "bad") == 0 || strcmp(argv[2], "good") == 0)) {
    bad = argv[2][0] == 'b';
    for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++) {
      if (strcmp(argv[1], kAntipatterns[i].name) != 0) continue;
      if (argc == 4) kAntipatterns[i].commit(argv[3]);
      else repeat(kAntipatterns[i].commit, argv[3], atoi(argv[4]));
      return 0;
    }
  }
  fputs("use: antipatterns ANTIPATTERN bad|good DIRECTORY [TIMES]; ANTIPATTERN is one of", stderr);
  for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++)
    fprintf(stderr, " %s", kAntipatterns[i].name);
  fputc('\n', stderr);
  return 2;
}
