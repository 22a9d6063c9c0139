/* Makes files known to whatever observes this job, by really using them, and ends:
     files FOLDER shared|own COUNT posix|mpiio|both
   Every rank uses COUNT files: all the same ones, at an offset of its own, or its own ones. A file is written through MPI-IO
   (opened by all ranks together where it is shared), or written and read back with POSIX calls, or first one, then the
   other. 64 bytes at a time: what is measured is the log, not the I/O. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kBytes = 64 };
static char data[kBytes];

static void fail(const char* what, const char* path) {
  fprintf(stderr, "cannot %s %s\n", what, path);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void use_posix(const char* path, off_t at) {
  const int file = open(path, O_RDWR | O_CREAT, 0644);
  if (file < 0) fail("open", path);
  if (pwrite(file, data, kBytes, at) != kBytes) fail("write", path);
  if (pread(file, data, kBytes, at) != kBytes) fail("read", path);
  close(file);
}

static void use_mpi(MPI_Comm together, const char* path, MPI_Offset at) {
  MPI_File file;
  MPI_Status status;
  if (MPI_File_open(together, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    fail("open with MPI-IO", path);
  if (MPI_File_write_at(file, at, data, kBytes, MPI_CHAR, &status) != MPI_SUCCESS) fail("write with MPI-IO", path);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int own = strcmp(argv[2], "own") == 0, count = atoi(argv[3]);
  const int with_mpi = strcmp(argv[4], "posix") != 0, with_posix = strcmp(argv[4], "mpiio") != 0;
  int rank;
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(data, 'a' + rank % 26, kBytes);
  const off_t at = own ? 0 : (off_t)rank * kBytes;
  for (int i = 0; i < count; ++i) {
    if (own) snprintf(path, sizeof path, "%s/rank%05d.file%06d", argv[1], rank, i);
    else snprintf(path, sizeof path, "%s/shared.%06d", argv[1], i);
    if (with_mpi) use_mpi(own ? MPI_COMM_SELF : MPI_COMM_WORLD, path, at);
    if (with_posix) use_posix(path, at);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
