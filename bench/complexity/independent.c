/* The same records by MPI-IO, each rank for itself, through functions and a table of them. */
#include <mpi.h>
#include <stdlib.h>

enum { RECORD = 4096 };

typedef struct Store Store;
struct Store {
  MPI_File file;
  MPI_Offset first;
  int (*put)(Store*, long, const char*);
  int (*get)(Store*, long, char*);
};

static MPI_Offset offset_of(const Store* store, long step) { return (store->first + step) * RECORD; }

static int put(Store* store, long step, const char* record) {
  return MPI_File_write_at(store->file, offset_of(store, step), record, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
}
static int get(Store* store, long step, char* record) {
  return MPI_File_read_at(store->file, offset_of(store, step), record, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void begin(Store* store, long steps) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  store->first = rank * steps, store->put = put, store->get = get;
  MPI_File_open(MPI_COMM_WORLD, "records.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &store->file);
}

static int work(Store* store, long steps) {
  static char record[RECORD];
  for (long step = 0; step < steps; step++)
    if (store->put(store, step, record) != MPI_SUCCESS || store->get(store, step, record) != MPI_SUCCESS) return 1;
  return 0;
}

int main(int argc, char** argv) {
  Store store;
  MPI_Init(&argc, &argv);
  const long steps = argc > 1 ? atol(argv[1]) : 100;
  begin(&store, steps);
  const int bad = work(&store, steps);
  MPI_File_close(&store.file);
  MPI_Finalize();
  return bad;
}
