// Ranks tell each other numbers, and each writes as many bytes as it was told.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void put(const char* name, long times) {
  char file[64];
  snprintf(file, sizeof file, "%s.%d", name, rank);
  FILE* out = fopen(file, "w");
  for (long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}

static void reductions(void) {
  long mine = (rank + 1) * (rank + 1), all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD), put("sum", all);
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD), put("max", all);
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD), put("min", all);
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_LONG, MPI_BOR, MPI_COMM_WORLD), put("or", mine);
  double real = 0.5 * rank, product = 0;
  MPI_Scan(&real, &product, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), put("scan", (long)(2 * product));
  int small[2] = {rank, -rank}, least[2] = {0, 0};
  MPI_Reduce(small, least, 2, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0) put("least", 10 + least[0] - least[1]);
}

static void shares(void) {
  int given[64], counts[64], positions[64], total = 0, own = 0;
  for (int i = 0; i < ranks; i++) counts[i] = i + 1, positions[i] = total, total += i + 1;
  for (int i = 0; i < total; i++) given[i] = 3 * i;
  int* part = calloc((size_t)rank + 1, sizeof *part);
  MPI_Scatterv(given, counts, positions, MPI_INT, part, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  put("part", part[rank]);
  MPI_Scatter(given, 1, MPI_INT, &own, 1, MPI_INT, 0, MPI_COMM_WORLD), put("own", own);
  for (int i = 0; i <= rank; i++) part[i] += rank;
  memset(given, 0, sizeof given);
  MPI_Allgatherv(part, rank + 1, MPI_INT, given, counts, positions, MPI_INT, MPI_COMM_WORLD);
  put("gathered", given[total - 1] + given[0]);
  int all[64] = {0};
  MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
  if (rank == ranks - 1) put("last", all[0] + all[ranks - 1]);
  int to[8], from[8];
  for (int i = 0; i < ranks; i++) to[i] = 10 * rank + i;
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  put("exchanged", from[ranks - 1]);
  free(part);
}

static void messages(void) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int mine = 3 * rank + 1, got = 0, count = 0;
  MPI_Status status;
  MPI_Sendrecv(&mine, 1, MPI_INT, next, 7, &got, 1, MPI_INT, before, 7, MPI_COMM_WORLD, &status);
  put("ring", got);
  int sent[2][3] = {{rank, 1, 2}, {rank + 5, 3, 4}}, received[2][3];
  MPI_Request requests[4];
  MPI_Irecv(received[0], 3, MPI_INT, before, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(received[1], 3, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(sent[0], 3, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(sent[1], 2, MPI_INT, before, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Status statuses[4];
  MPI_Waitall(4, requests, statuses);
  MPI_Get_count(&statuses[1], MPI_INT, &count);
  put("neighbours", received[0][0] + 10 * received[1][0] + count);
  if (rank == 0)
    for (int i = 1; i < ranks; i++) MPI_Send(sent[0], i % 3 + 1, MPI_INT, i, i, MPI_COMM_WORLD);
  if (rank > 0) {
    MPI_Probe(0, rank, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(received[0], count, MPI_INT, 0, rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    put("probed", count);
  }
}

static void groups(void) {
  MPI_Comm half, grid;
  int number, size, sides[2] = {0, 0}, round[2] = {1, 0}, position[2], left, right, above, below;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &half);
  MPI_Comm_rank(half, &number), MPI_Comm_size(half, &size);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  put("half", 100 * size + 10 * number + sum);
  if (number == 0) put("leader", 5);
  MPI_Comm_free(&half);
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, round, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, position);
  MPI_Cart_shift(grid, 0, 1, &left, &right);
  MPI_Cart_shift(grid, 1, 1, &above, &below);
  put("grid", 50 + 10 * position[0] + position[1] + left + right + (above == MPI_PROC_NULL) + (below == MPI_PROC_NULL));
  double halo = -1, value = rank;
  MPI_Sendrecv(&value, 1, MPI_DOUBLE, below, 0, &halo, 1, MPI_DOUBLE, above, 0, grid, MPI_STATUS_IGNORE);
  put("halo", (long)halo + 2);
  double matrix[4][4];
  for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = i + rank;
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(&matrix[0][1], 1, column, right, 3, &matrix[0][2], 1, column, left, 3, grid, MPI_STATUS_IGNORE);
  put("column", (long)matrix[3][2]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int steps = 0;
  if (rank == 0) {
    FILE* in = fopen("in.txt", "r");
    if (in == NULL || fscanf(in, "%d", &steps) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(in);
  }
  MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
  put("steps", steps);
  reductions();
  if (ranks <= 8) shares();
  messages();
  groups();
  MPI_Finalize();
  return 0;
}
