/* Transfers at positions of every kind; says on standard output which bytes of the file they began at. offsets FILE */
#include <mpi.h>
#include <stdio.h>

static int rank;

static void say(const char* way, long long offset, int bytes) { printf("%d %s %lld %d\n", rank, way, offset, bytes); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  static int data[4096];
  MPI_File file;
  MPI_Request request;
  MPI_Status status;
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  const MPI_Offset mine = 65536LL * rank;
  MPI_File_write_at(file, mine, data, 100, MPI_INT, &status), say("write", mine, 400);
  MPI_File_seek(file, mine + 1000, MPI_SEEK_SET);
  MPI_File_write(file, data, 50, MPI_INT, &status), say("write", mine + 1000, 200);
  MPI_File_write(file, data, 10, MPI_INT, &status), say("write", mine + 1200, 40);
  /* Two ints of every four belong to this view, which begins at 2000. */
  MPI_Datatype pieces;
  MPI_Type_vector(512, 2, 4, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  MPI_File_set_view(file, mine + 2000, MPI_INT, pieces, "native", MPI_INFO_NULL);
  MPI_File_write_at_all(file, 0, data, 8, MPI_INT, &status), say("write", mine + 2000, 32);
  MPI_File_write_at(file, 5, data, 2, MPI_INT, &status), say("write", mine + 2000 + 4 * 9, 8);
  MPI_File_seek(file, 4, MPI_SEEK_SET);
  MPI_File_read_all(file, data, 3, MPI_INT, &status), say("read", mine + 2000 + 4 * 8, 12);
  MPI_File_read(file, data, 1, MPI_INT, &status), say("read", mine + 2000 + 4 * 13, 4);
  MPI_File_iwrite_at(file, 100, data, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  say("write", mine + 2000 + 4 * 200, 8);
  MPI_File_write_at_all_begin(file, 200, data, 2, MPI_INT), MPI_File_write_at_all_end(file, data, &status);
  say("write", mine + 2000 + 4 * 400, 8);
  MPI_File_write_shared(file, data, 2, MPI_INT, &status), say("write", -1, 8);
  MPI_File_close(&file);
  MPI_Type_free(&pieces);
  MPI_Finalize();
  return 0;
}
