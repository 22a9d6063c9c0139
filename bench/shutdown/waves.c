/* What a message between ranks costs here: up and down waves as at the end of a job, and large messages.
     waves          prints "<ranks> <seconds a small message> <bytes a second>" */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSmall = 1024, kLarge = 4 << 20, kRounds = 50, kLargeRounds = 8 };

/* As the runtime waits: tests, and gives the processor away in between. */
static void wait_for(MPI_Request* request) {
  for (int over = 0; !over;) {
    MPI_Test(request, &over, MPI_STATUS_IGNORE);
    if (!over) sched_yield();
  }
}

static void move(char* data, int bytes, int peer, int receive) {
  MPI_Request request;
  if (receive) MPI_Irecv(data, bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &request);
  else MPI_Isend(data, bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &request);
  wait_for(&request);
}

static double waves(char* data, int bytes, int rounds, int rank, int ranks) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    for (int peer = 1; peer < ranks; ++peer) {
      if (rank == 0) move(data, bytes, peer, 1);
      if (rank == peer) move(data, bytes, 0, 0);
    }
    for (int peer = 1; peer < ranks; ++peer) {
      if (rank == 0) move(data, bytes, peer, 0);
      if (rank == peer) move(data, bytes, 0, 1);
    }
  }
  return (MPI_Wtime() - begin) / (2.0 * rounds * (ranks - 1));
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* data = calloc(1, kLarge);
  (void)waves(data, kSmall, 5, rank, ranks);
  const double small = waves(data, kSmall, kRounds, rank, ranks);
  const double large = waves(data, kLarge, kLargeRounds, rank, ranks);
  if (rank == 0) printf("%d %.9f %.0f\n", ranks, small, kLarge / large);
  free(data);
  return MPI_Finalize();
}
