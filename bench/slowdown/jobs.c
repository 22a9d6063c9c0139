// MPI jobs as they are often measured: jobs KIND FOLDER SIZE.
//   small    each rank writes and reads a file of its own, 512 bytes at a time
//   mpi-io   blocks of 64 KiB, ranks interleaved, into one file, by collective MPI-IO, then read back (like mpi-io-test)
//   hacc     nine arrays of each rank (38 bytes a particle) at its offset in one shared file, by independent MPI-IO (like HACC-IO)
//   stencil  computes on a grid, exchanges halos, and every 20 steps each rank writes its part row by row by POSIX
// SIZE: thousands of calls of a rank for small, blocks for mpi-io, thousands of particles for hacc, steps for stencil.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static const char* folder;

static void need(int truth) {
  if (!truth) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void small(long thousands) {
  char path[512], block[512];
  memset(block, rank, sizeof block);
  snprintf(path, sizeof path, "%s/small.%d", folder, rank);
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (long i = 0; i < thousands * 500; ++i) {
    need(pwrite(file, block, sizeof block, i % 8192 * 512) == (ssize_t)sizeof block);
    need(pread(file, block, sizeof block, i % 8192 * 512) == (ssize_t)sizeof block);
  }
  close(file);
}

static MPI_File shared(const char* name, int mode) {
  char path[512];
  MPI_File file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  need(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file) == MPI_SUCCESS);
  return file;
}

static void mpi_io(long blocks) {
  enum { kBlock = 65536 };
  char* block = calloc(1, kBlock);
  MPI_File file = shared("mpi-io", MPI_MODE_CREATE | MPI_MODE_RDWR);
  for (int reads = 0; reads < 2; ++reads) {
    for (long i = 0; i < blocks; ++i) {
      const MPI_Offset at = (MPI_Offset)(i * ranks + rank) * kBlock;
      need((reads ? MPI_File_read_at_all(file, at, block, kBlock, MPI_BYTE, MPI_STATUS_IGNORE)
                  : MPI_File_write_at_all(file, at, block, kBlock, MPI_BYTE, MPI_STATUS_IGNORE)) == MPI_SUCCESS);
    }
  }
  MPI_File_close(&file);
  free(block);
}

static void hacc(long thousands) {
  static const int width[9] = {4, 4, 4, 4, 4, 4, 4, 8, 2};  // three coordinates, three speeds, a potential, an id, a mask
  const long particles = thousands * 1000;
  char* array = calloc((size_t)particles, 8);
  MPI_File file = shared("hacc", MPI_MODE_CREATE | MPI_MODE_RDWR);
  for (int reads = 0; reads < 2; ++reads) {
    MPI_Offset begin = 0;
    for (int i = 0; i < 9; ++i) {
      const int bytes = (int)(particles * width[i]);
      const MPI_Offset at = begin + (MPI_Offset)rank * bytes;
      need((reads ? MPI_File_read_at(file, at, array, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                  : MPI_File_write_at(file, at, array, bytes, MPI_BYTE, MPI_STATUS_IGNORE)) == MPI_SUCCESS);
      begin += (MPI_Offset)ranks * bytes;
    }
  }
  MPI_File_close(&file);
  free(array);
}

static void stencil(long steps) {
  enum { kWidth = 512, kRows = 256 };
  double(*now)[kWidth] = calloc(kRows + 2, sizeof *now), (*next)[kWidth] = calloc(kRows + 2, sizeof *next);
  char path[512];
  snprintf(path, sizeof path, "%s/stencil.%d", folder, rank);
  now[kRows / 2][kWidth / 2] = 1e6;
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (long step = 0; step < steps; ++step) {
    MPI_Sendrecv(now[1], kWidth, MPI_DOUBLE, up, 0, now[kRows + 1], kWidth, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now[kRows], kWidth, MPI_DOUBLE, down, 1, now[0], kWidth, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int y = 1; y <= kRows; ++y)
      for (int x = 1; x + 1 < kWidth; ++x) next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1]);
    double(*swap)[kWidth] = now;
    now = next, next = swap;
    if (step % 20 != 19) continue;
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int y = 1; y <= kRows; ++y) need(write(file, now[y], sizeof now[y]) == (ssize_t)sizeof now[y]);
    close(file);
  }
  free(now), free(next);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 3);
  folder = argv[2];
  const long size = atol(argv[3]);
  if (strcmp(argv[1], "small") == 0) small(size);
  else if (strcmp(argv[1], "mpi-io") == 0) mpi_io(size);
  else if (strcmp(argv[1], "hacc") == 0) hacc(size);
  else if (strcmp(argv[1], "stencil") == 0) stencil(size);
  else MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
