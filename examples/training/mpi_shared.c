// I/O benchmark with MPI: each rank writes its blocks of one file, independently and then collectively, and reads them.
#include <mpi.h>
#include <stdlib.h>

static void write_blocks(MPI_File file, const char* block, int bytes, int blocks, int rank, int ranks) {
  for (int i = 0; i < blocks; ++i)
    MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * bytes, block, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void read_blocks(MPI_File file, char* block, int bytes, int blocks, int rank, int ranks) {
  for (int i = 0; i < blocks; ++i)
    MPI_File_read_at(file, ((MPI_Offset)i * ranks + rank) * bytes, block, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static double compute(double* data, int n, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (int i = 1; i < n; ++i) data[i] = 0.5 * data[i] + 0.25 * data[i - 1];
  return data[n - 1];
}

int main(int argc, char** argv) {
  const int bytes = argc > 1 ? atoi(argv[1]) : 4096, blocks = argc > 2 ? atoi(argv[2]) : 100;
  const int rounds = argc > 3 ? atoi(argv[3]) : 1;
  int rank, ranks;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* block = calloc(1, bytes);
  double* data = calloc(100000, sizeof(double));
  MPI_File_open(MPI_COMM_WORLD, "shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  write_blocks(file, block, bytes, blocks, rank, ranks);
  compute(data, 100000, rounds);
  read_blocks(file, block, bytes, blocks, rank, ranks);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
