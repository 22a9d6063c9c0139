/* Bad habits of parallel programs, and the same work done well.
 *
 *   mpirun -n RANKS mpi_antipatterns ANTIPATTERN bad|good DIRECTORY
 *
 * Each antipattern is named as `trikal insights` names it. Observe it with
 *
 *   trikal run -- mpirun -n 16 ./mpi_antipatterns few-aggregators bad /tmp */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KIB = 1 << 10, MIB = 1 << 20 };
static char block[MIB];
static char path[4096];
static int bad, rank, ranks;

static void must(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "mpi_antipatterns: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static MPI_File file(MPI_Comm who, const char* directory, const char* name, MPI_Info hints) {
  MPI_File handle;
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) must(-1, "the name");
  must(MPI_File_open(who, path, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &handle), "open");
  return handle;
}

static FILE* own_file(const char* d, const char* name, const char* mode) {
  if (snprintf(path, sizeof path, "%s/%s", d, name) >= (int)sizeof path) must(-1, "the name");
  FILE* stream = fopen(path, mode);
  must(stream != NULL ? MPI_SUCCESS : -1, "opening");
  return stream;
}

/* Checkpoints of 16 KiB a rank: in files of its own, or together in one. A small file of all comes first. */
static void file_per_process(const char* d) {
  enum { STEPS = 100, PART = 16 * KIB };
  char name[48];
  MPI_File input = file(MPI_COMM_WORLD, d, "input", MPI_INFO_NULL);
  must(MPI_File_write_at_all(input, (MPI_Offset)rank * KIB, block, KIB, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  MPI_File_close(&input);
  MPI_File shared = MPI_FILE_NULL;
  if (!bad) shared = file(MPI_COMM_WORLD, d, "checkpoints", MPI_INFO_NULL);
  for (int step = 0; step < STEPS; step++) {
    if (!bad) {
      const MPI_Offset at = ((MPI_Offset)step * ranks + rank) * PART;
      must(MPI_File_write_at(shared, at, block, PART, MPI_BYTE, MPI_STATUS_IGNORE), "write");
      continue;
    }
    snprintf(name, sizeof name, "checkpoint%03d.%05d", step, rank);
    FILE* own = own_file(d, name, "w");
    must(fwrite(block, PART, 1, own) == 1 && fclose(own) == 0 ? MPI_SUCCESS : -1, "writing");
  }
  if (!bad) MPI_File_close(&shared);
}

/* Rows that alternate between the ranks, in one collective call a step: with hints that keep each piece as it is, or without. */
static void unaggregated_collectives(const char* d) {
  enum { PIECES = 1024, PIECE = 64 };
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "romio_cb_write", bad ? "disable" : "enable");
  if (bad) MPI_Info_set(hints, "romio_ds_write", "disable");
  MPI_File shared = file(MPI_COMM_WORLD, d, "columns", hints);
  MPI_Datatype pieces;
  MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &pieces);
  MPI_Type_commit(&pieces);
  must(MPI_File_set_view(shared, (MPI_Offset)rank * PIECE, MPI_BYTE, pieces, "native", MPI_INFO_NULL), "view");
  for (int step = 0; step < 4; step++)
    must(MPI_File_write_at_all(shared, (MPI_Offset)step * PIECES * PIECE, block, PIECES * PIECE, MPI_BYTE,
                               MPI_STATUS_IGNORE),
         "write");
  MPI_Type_free(&pieces);
  MPI_File_close(&shared);
  MPI_Info_free(&hints);
}

/* One rank comes late: the others wait for it in a collective call, or write their part by themselves. */
static void time_above_posix(const char* d) {
  MPI_File shared = file(MPI_COMM_WORLD, d, "late", MPI_INFO_NULL);
  for (int step = 0; step < 4; step++) {
    const MPI_Offset at = ((MPI_Offset)step * ranks + rank) * MIB;
    if (rank == ranks - 1) usleep(200000);
    if (bad) must(MPI_File_write_at_all(shared, at, block, MIB, MPI_BYTE, MPI_STATUS_IGNORE), "write");
    else must(MPI_File_write_at(shared, at, block, MIB, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  }
  MPI_File_close(&shared);
}

/* All ranks write collectively; one of them does it for all, or half of them do. */
static void few_aggregators(const char* d) {
  char half[16];
  MPI_Info hints;
  MPI_Info_create(&hints);
  snprintf(half, sizeof half, "%d", bad ? 1 : ranks / 2);
  MPI_Info_set(hints, "romio_cb_write", "enable");
  MPI_Info_set(hints, "cb_nodes", half);
  if (!bad) MPI_Info_set(hints, "cb_config_list", "*:*");
  MPI_File shared = file(MPI_COMM_WORLD, d, "field", hints);
  for (int step = 0; step < 4; step++)
    must(
        MPI_File_write_at_all(shared, ((MPI_Offset)step * ranks + rank) * MIB, block, MIB, MPI_BYTE, MPI_STATUS_IGNORE),
        "write");
  MPI_File_close(&shared);
  MPI_Info_free(&hints);
}

/* Every rank reads 64 bytes of each 4 KiB of its part, as a view that the library reads around, or packed. */
static void data_sieving(const char* d) {
  enum { PIECES = 2048, PIECE = 64, STRIDE = 4 * KIB };
  MPI_File shared = file(MPI_COMM_WORLD, d, "table", MPI_INFO_NULL);
  const MPI_Offset begin = (MPI_Offset)rank * PIECES * STRIDE;
  for (MPI_Offset at = 0; at < PIECES * STRIDE; at += MIB)
    must(MPI_File_write_at(shared, begin + at, block, MIB, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  MPI_Datatype pieces;
  MPI_Type_vector(PIECES, PIECE, STRIDE, MPI_BYTE, &pieces);
  MPI_Type_commit(&pieces);
  if (bad) must(MPI_File_set_view(shared, begin, MPI_BYTE, pieces, "native", MPI_INFO_NULL), "view");
  for (int i = 0; i < 4; i++)
    must(MPI_File_read_at(shared, bad ? 0 : begin, block, PIECES * PIECE, MPI_BYTE, MPI_STATUS_IGNORE), "read");
  MPI_Type_free(&pieces);
  MPI_File_close(&shared);
}

/* 256 MiB of results: gathered by rank 0 and written by it alone, or each rank's part by itself. */
static void serial_rank(const char* d) {
  char name[32];
  snprintf(name, sizeof name, "result.%05d", rank);
  FILE* own = bad && rank != 0 ? NULL : own_file(d, name, "w");
  for (int step = 0; step < 256 / ranks; step++)
    for (int from = 0; from < ranks; from++) {
      if (bad && rank == from && from != 0) MPI_Send(block, MIB, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      if (bad && rank == 0 && from != 0) MPI_Recv(block, MIB, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (own != NULL && (bad || rank == from)) must(fwrite(block, MIB, 1, own) == 1 ? MPI_SUCCESS : -1, "writing");
    }
  if (own != NULL) fclose(own);
}

/* Every rank has its file; that of the last is 40 times as long, or all are alike. */
static void imbalance(const char* d) {
  char name[32];
  const int parts = 4 * (bad ? (rank == ranks - 1 ? 40 : 1) : 5);
  snprintf(name, sizeof name, "domain.%05d", rank);
  FILE* own = own_file(d, name, "w");
  for (int i = 0; i < parts; i++) must(fwrite(block, MIB, 1, own) == 1 ? MPI_SUCCESS : -1, "writing");
  fclose(own);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Rows of 512 bytes that alternate between the ranks: one call a row, or one collective call for all of a step. */
static void no_collectives(const char* d) {
  enum { ROWS = 512, ROW = 512 };
  MPI_File shared = file(MPI_COMM_WORLD, d, "rows", MPI_INFO_NULL);
  for (int step = 0; step < 4; step++) {
    const MPI_Offset begin = (MPI_Offset)step * ranks * ROWS * ROW;
    for (int row = 0; bad && row < ROWS; row++) {
      const MPI_Offset at = begin + ((MPI_Offset)row * ranks + rank) * ROW;
      must(MPI_File_write_at(shared, at, block, ROW, MPI_BYTE, MPI_STATUS_IGNORE), "write");
    }
    const MPI_Offset part = begin + (MPI_Offset)rank * ROWS * ROW;
    if (!bad) must(MPI_File_write_at_all(shared, part, block, ROWS * ROW, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  }
  MPI_File_close(&shared);
}

static int opened(const char* d, const char* name, int flags) {
  if (snprintf(path, sizeof path, "%s/%s", d, name) >= (int)sizeof path) must(-1, "the name");
  const int fd = open(path, flags, 0600);
  must(fd >= 0 ? MPI_SUCCESS : -1, "opening");
  return fd;
}

/* One file that all have open: the last rank writes nearly all of it, or each its part. */
static void uneven_shared_file(const char* d) {
  const int shared = opened(d, "shared", O_CREAT | O_WRONLY), parts = bad ? (rank == ranks - 1 ? 400 : 1) : 400 / ranks;
  for (int i = 0; i < parts; i++)
    must(pwrite(shared, block, MIB, ((off_t)rank * 400 + i) * MIB) == MIB ? MPI_SUCCESS : -1, "writing");
  close(shared);
}

/* 64 MiB of one file: in pieces of 4 KiB that alternate between the ranks, or each rank its part. */
static void stripe_contention(const char* d) {
  enum { PIECE = 4 * KIB, PIECES = 64 * MIB / PIECE };
  const int shared = opened(d, "grid", O_CREAT | O_WRONLY), own = PIECES / ranks;
  for (int i = 0; i < own; i++) {
    const off_t at = (off_t)PIECE * (bad ? i * ranks + rank : rank * own + i);
    must(pwrite(shared, block, PIECE, at) == PIECE ? MPI_SUCCESS : -1, "writing");
  }
  close(shared);
}

/* A table of 64 MiB that all ranks need: read by each of them, or by one that tells the others. */
static void every_rank_reads(const char* d) {
  enum { PARTS = 64 };
  const int table = opened(d, "table", O_CREAT | O_RDWR);
  for (int i = 0; rank == 0 && i < PARTS; i++) must(write(table, block, MIB) == MIB ? MPI_SUCCESS : -1, "writing");
  MPI_Barrier(MPI_COMM_WORLD);
  for (off_t i = 0; i < PARTS; i++) {
    if (bad || rank == 0) must(pread(table, block, MIB, i * MIB) == MIB ? MPI_SUCCESS : -1, "reading");
    if (!bad) MPI_Bcast(block, MIB, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  close(table);
}

/* 100 results a rank: each is waited for, or written while the next one is computed. */
static void no_nonblocking(const char* d) {
  enum { RESULTS = 100, BYTES = 256 * KIB };
  MPI_File shared = file(MPI_COMM_WORLD, d, "results", MPI_INFO_NULL);
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < RESULTS; i++) {
    const MPI_Offset at = ((MPI_Offset)rank * RESULTS + i) * BYTES;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (bad) must(MPI_File_write_at(shared, at, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE), "write");
    else must(MPI_File_iwrite_at(shared, at, block, BYTES, MPI_BYTE, &request), "write");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&shared);
}

/* 4 MiB of one file for each rank, in pieces of 1 MiB; the last rank takes pieces of 4 bytes, or those as well. */
static void straggler(const char* d) {
  const off_t part = 4 * MIB, piece = bad && rank == ranks - 1 ? 4 : MIB;
  const int shared = opened(d, "parts", O_CREAT | O_WRONLY);
  for (off_t at = 0; at < part; at += piece)
    must(pwrite(shared, block, (size_t)piece, rank * part + at) == piece ? MPI_SUCCESS : -1, "writing");
  close(shared);
}

/* The first rank hands 16 MiB to the last: through a pipe whose other end pauses, or in a file that is complete. */
static void stalled_access(const char* d) {
  enum { PARTS = 256, PART = 64 * KIB };
  if (snprintf(path, sizeof path, "%s/handed", d) >= (int)sizeof path) must(-1, "the name");
  if (rank == 0 && bad) must(mkfifo(path, 0600) == 0 ? MPI_SUCCESS : -1, "making a pipe");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const int to = opened(d, "handed", O_CREAT | O_WRONLY);
    for (int i = 0; i < PARTS; i++) {
      if (bad && i == PARTS - 1) sleep(1);
      must(write(to, block, PART) == PART ? MPI_SUCCESS : -1, "writing");
    }
    close(to);
  }
  if (!bad) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == ranks - 1) {
    const int from = opened(d, "handed", O_RDONLY);
    while (read(from, block, PART) > 0) continue;
    close(from);
  }
}

static const struct {
  const char* name;
  void (*commit)(const char* directory);
} kAntipatterns[] = {
    {"file-per-process", file_per_process},
    {"few-aggregators", few_aggregators},
    {"data-sieving", data_sieving},
    {"serial-rank", serial_rank},
    {"imbalance", imbalance},
    {"no-collectives", no_collectives},
    {"uneven-shared-file", uneven_shared_file},
    {"stripe-contention", stripe_contention},
    {"every-rank-reads", every_rank_reads},
    {"no-nonblocking", no_nonblocking},
    {"straggler", straggler},
    {"stalled-access", stalled_access},
    {"unaggregated-collectives", unaggregated_collectives},
    {"time-above-posix", time_above_posix},
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int known = 0;
  for (size_t i = 0; argc == 4 && i < sizeof kAntipatterns / sizeof *kAntipatterns; i++) {
    if (strcmp(argv[1], kAntipatterns[i].name) != 0) continue;
    known = 1, bad = argv[2][0] == 'b';
    kAntipatterns[i].commit(argv[3]);
  }
  if (!known && rank == 0) {
    fputs("use: mpirun -n RANKS mpi_antipatterns ANTIPATTERN bad|good DIRECTORY; ANTIPATTERN is one of", stderr);
    for (size_t i = 0; i < sizeof kAntipatterns / sizeof *kAntipatterns; i++)
      fprintf(stderr, " %s", kAntipatterns[i].name);
    fputc('\n', stderr);
  }
  MPI_Finalize();
  return known ? 0 : 2;
}
