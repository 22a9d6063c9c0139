/* Each rank writes a file of its own: every record made safe at once, or all of them in the end. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

enum { RECORDS = 1000, BYTES = 8192 };  /* enough of them that a quick disk shows a difference, too */

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int each = argc > 1 && strcmp(argv[1], "each") == 0;
  char name[32];
  static char record[BYTES];
  snprintf(name, sizeof name, "state.%d", rank);
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < RECORDS; i++) {
    if (write(file, record, sizeof record) != BYTES || (each && fsync(file) != 0)) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (fsync(file) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  close(file);
  MPI_Finalize();
  return 0;
}
