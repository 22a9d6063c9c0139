/* Writes and reads as a benchmark of parallel I/O does: every rank moves BLOCKS blocks of 512 KiB with independent
 * MPI-IO calls, to a file of its own or to its part of one shared file, then reads them back.
 *
 *   io_time own|shared BLOCKS DIRECTORY      prints the seconds of the slowest rank, from open to close */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBlock = 512 * 1024 };
static char block[kBlock];

static void must(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  fprintf(stderr, "io_time: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void move_blocks(MPI_Comm who, const char* name, int writing, int blocks, MPI_Offset first) {
  const int mode = writing ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
  MPI_File file;
  must(MPI_File_open(who, name, mode, MPI_INFO_NULL, &file), "MPI_File_open");
  for (int i = 0; i < blocks; ++i) {
    const MPI_Offset at = first + (MPI_Offset)i * kBlock;
    if (writing) must(MPI_File_write_at(file, at, block, kBlock, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_write_at");
    else must(MPI_File_read_at(file, at, block, kBlock, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_read_at");
  }
  must(MPI_File_close(&file), "MPI_File_close");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int shared = strcmp(argv[1], "shared") == 0, blocks = atoi(argv[2]);
  char name[4096];
  snprintf(name, sizeof name, "%s/data.%d", argv[3], shared ? 0 : rank);
  const MPI_Comm who = shared ? MPI_COMM_WORLD : MPI_COMM_SELF;
  const MPI_Offset first = shared ? (MPI_Offset)rank * blocks * kBlock : 0;
  memset(block, rank + 1, kBlock);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  move_blocks(who, name, 1, blocks, first);
  MPI_Barrier(MPI_COMM_WORLD);
  move_blocks(who, name, 0, blocks, first);
  double seconds = MPI_Wtime() - begin, slowest;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", slowest);
  MPI_Finalize();
  return 0;
}
