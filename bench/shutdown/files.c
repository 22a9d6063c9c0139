/* Makes files known to whatever observes this job, by really opening and writing them, and ends:
     files FOLDER shared|own COUNT posix|mpiio
   Each rank writes 4096 bytes to each file, at an offset of its own; files are in memory. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char data[4096];

static void write_posix(const char* path, off_t at) {
  int file = open(path, O_WRONLY | O_CREAT, 0600);
  if (file < 0 || pwrite(file, data, sizeof data, at) != sizeof data || close(file) != 0) exit(3);
}

static void write_mpi(const char* path, off_t at) {
  MPI_File file;
  MPI_Status status;
  if (MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS ||
      MPI_File_write_at(file, at, data, sizeof data, MPI_BYTE, &status) != MPI_SUCCESS ||
      MPI_File_close(&file) != MPI_SUCCESS)
    exit(4);
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int own = strcmp(argv[2], "own") == 0, count = atoi(argv[3]), mpi = strcmp(argv[4], "mpiio") == 0;
  int rank;
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    if (own) snprintf(path, sizeof path, "%s/output.%06d.rank%05d.dat", argv[1], i, rank);
    else snprintf(path, sizeof path, "%s/output.%06d.dat", argv[1], i);
    const off_t at = own ? 0 : (off_t)rank * (off_t)sizeof data;
    if (mpi) write_mpi(path, at);
    else write_posix(path, at);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
