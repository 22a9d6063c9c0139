/* A small simulation with the I/O habits of many: it reads its mesh byte by byte, four workers write a checkpoint in
 * rows of 64 bytes, and every step reopens a log for one line. trikal run shows what that costs.
 * Use: checkpoint STEPS DIRECTORY */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <trikal/annotate.h>
#include <unistd.h>

enum { kWorkers = 4, kRowBytes = 64, kRows = 2000, kMeshBytes = 200000 };

static const char* directory;

static void path_of(char* path, size_t size, const char* name) { snprintf(path, size, "%s/%s", directory, name); }

static void die(const char* what) {
  perror(what);
  exit(1);
}

static void make_mesh(void) {
  char path[4096];
  path_of(path, sizeof path, "mesh.dat");
  FILE* mesh = fopen(path, "w");
  if (mesh == NULL) die(path);
  for (int i = 0; i < kMeshBytes; ++i) putc('a' + i % 26, mesh);
  fclose(mesh);
}

static long read_mesh(void) {
  char path[4096], byte;
  long sum = 0;
  path_of(path, sizeof path, "mesh.dat");
  int mesh = open(path, O_RDONLY);
  if (mesh < 0) die(path);
  while (read(mesh, &byte, 1) == 1) sum += byte;
  close(mesh);
  return sum;
}

static void note(const char* text, int step) {
  char path[4096];
  path_of(path, sizeof path, "run.log");
  FILE* log = fopen(path, "a");
  if (log == NULL) die(path);
  fprintf(log, "step %d: %s\n", step, text);
  fclose(log);
}

static void write_rows(int worker, int step) {
  char path[4096], row[kRowBytes];
  path_of(path, sizeof path, "checkpoint.dat");
  int out = open(path, O_WRONLY | O_CREAT, 0644);
  if (out < 0) die(path);
  for (int i = 0; i < kRows; ++i) {
    snprintf(row, sizeof row, "step %d worker %d row %d", step, worker, i);
    off_t at = ((off_t)i * kWorkers + worker) * kRowBytes; /* interleaved */
    if (pwrite(out, row, sizeof row, at) != (ssize_t)sizeof row) die("pwrite");
  }
  if (fsync(out) != 0) die("fsync");
  close(out);
}

static void write_checkpoint(int step) {
  trikal_annotate_begin("checkpoint");
  for (int worker = 0; worker < kWorkers; ++worker) {
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
      write_rows(worker, step);
      _exit(0);
    }
  }
  while (wait(NULL) > 0) {
  }
  trikal_annotate_end();
}

int main(int argc, char** argv) {
  if (argc != 3) return fprintf(stderr, "use: %s STEPS DIRECTORY\n", argv[0]), 2;
  directory = argv[2];
  trikal_annotate_begin("setup");
  make_mesh();
  long sum = read_mesh();
  trikal_annotate_end();
  for (int step = 0; step < atoi(argv[1]); ++step) {
    note("begins", step);
    usleep(50000); /* the computation */
    write_checkpoint(step);
    note("done", step);
  }
  printf("mesh sum %ld, %s steps\n", sum, argv[1]);
  return 0;
}
