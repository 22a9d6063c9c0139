// One file of all ranks, named by the second argument; with a third, so many further processes of this program are
// spawned. In C++, and with threads.
#include <mpi.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

void write_file(const std::string& path, int bytes) {
  MPI_File file;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<char> data(static_cast<std::size_t>(bytes));
  if (MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_File_write_at_all(file, MPI_Offset{rank} * bytes, data.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  write_file(std::string(argv[1]) + "/" + argv[2], 100);
  MPI_Comm other = MPI_COMM_NULL;
  if (argc > 3) {
    char directory[4096], name[] = "child.dat";
    std::string(argv[1]).copy(directory, sizeof directory - 1);
    directory[std::string(argv[1]).size()] = '\0';
    char* arguments[] = {directory, name, nullptr};
    MPI_Comm_spawn(argv[0], arguments, std::atoi(argv[3]), MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                   MPI_ERRCODES_IGNORE);
  } else {
    MPI_Comm_get_parent(&other);
  }
  if (other != MPI_COMM_NULL) MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
