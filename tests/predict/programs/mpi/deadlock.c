// Every rank waits for the one before it: nobody ever sends.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, ranks, got = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Recv(&got, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  FILE* out = fopen("never.txt", "w");
  fputs("never\n", out);
  fclose(out);
  MPI_Finalize();
  return 0;
}
