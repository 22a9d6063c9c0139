/* Every rank stores three pieces on the one tape of all, and one on a tape of its own. */
#include <mpi.h>
#include <stdio.h>

#include "tape.h"

static void store(const char* path, int pieces) {
  static char data[5000];
  const int64_t tape = tape_load(path, 1);
  for (int i = 0; i < pieces; ++i) tape_store(tape, data, sizeof data);
  tape_unload(tape);
}

int main(int argc, char** argv) {
  char own[4096];
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(own, sizeof own, "%s.%d", argv[1], rank);
  store(argv[1], 3);
  store(own, 1);
  MPI_Finalize();
  return 0;
}
