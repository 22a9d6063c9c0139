/* Every kind of transfer once or a few times, on one file of all ranks and one of each rank's own. */
#include <mpi.h>
#include <stdio.h>

static char data[4096];

static void check(int result) {
  if (result != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);
}

static MPI_File open_in(const char* directory, const char* name, MPI_Comm comm, MPI_Info info) {
  char path[1024];
  MPI_File file;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  check(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
  return file;
}

static void use_shared(const char* directory, int rank) {
  const MPI_Offset mine = (MPI_Offset)rank * 4096;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Info info;
  int flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_File file = open_in(directory, "shared.dat", MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  for (int i = 0; i < 3; ++i) check(MPI_File_write_at(file, mine + 1000 * i, data, 250, MPI_INT, MPI_STATUS_IGNORE));
  check(MPI_File_write_at_all(file, mine + 3000, data, 600, MPI_CHAR, &status));
  check(MPI_File_iwrite_at(file, mine, data, 200, MPI_BYTE, &requests[0]));
  check(MPI_File_iwrite_at(file, mine + 200, data, 200, MPI_BYTE, &requests[1]));
  check(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  check(MPI_File_write_at_all_begin(file, mine, data, 300, MPI_BYTE));
  check(MPI_File_write_at_all_end(file, data, &status));
  check(MPI_File_sync(file));
  check(MPI_Barrier(MPI_COMM_WORLD));
  check(MPI_File_read_at(file, mine, data, 100, MPI_DOUBLE, &status));
  check(MPI_File_iread_at(file, mine, data, 50, MPI_BYTE, &requests[0]));
  for (flag = 0; !flag;) check(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE));
  check(MPI_File_set_view(file, mine, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  check(MPI_File_read_all(file, data, 64, MPI_BYTE, MPI_STATUS_IGNORE));
  check(MPI_File_close(&file));
}

static void use_own(const char* directory, int rank) {
  char name[64];
  snprintf(name, sizeof name, "own.%d", rank);
  MPI_File file = open_in(directory, name, MPI_COMM_SELF, MPI_INFO_NULL);
  check(MPI_File_write(file, data, 500, MPI_BYTE, MPI_STATUS_IGNORE));
  check(MPI_File_read_at(file, 400, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE)); /* 100 bytes are there */
  check(MPI_File_set_size(file, 2000));
  check(MPI_File_close(&file));
}

/* One file of all but the first. */
static void use_others(const char* directory, int rank) {
  MPI_Comm others;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &others);
  if (rank == 0) return;
  MPI_File file = open_in(directory, "others.dat", others, MPI_INFO_NULL);
  check(MPI_File_write_at(file, rank * 10, data, 10, MPI_BYTE, MPI_STATUS_IGNORE));
  check(MPI_File_close(&file));
  MPI_Comm_free(&others);
}

int main(int argc, char** argv) {
  int rank;
  if (argc < 2) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  use_shared(argv[1], rank);
  use_own(argv[1], rank);
  use_others(argv[1], rank);
  MPI_Finalize();
  return 0;
}
