/* Every rank writes its part of one file, from lines that say so. */
#include <mpi.h>

int main(int count, char** words) {
  int rank;
  char block[1000] = {0};
  MPI_File file;
  MPI_Status status;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
  MPI_File_open(MPI_COMM_WORLD, words[1], mode, MPI_INFO_NULL, &file); /* site: MPI collective open 1 0 */
  for (int i = 0; i < 3; ++i)
    MPI_File_write_at(file, (rank * 3 + i) * 100, block, 100, MPI_BYTE, &status); /* site: MPI write 3 300 */
  const int at = 10000 + rank * 1000;
  MPI_File_write_at_all(file, at, block, 1000, MPI_BYTE, &status); /* site: MPI collective write 1 1000 */
  MPI_File_sync(file); /* site: MPI sync 1 0 */
  MPI_File_read_at(file, 0, block, 50, MPI_BYTE, &status); /* site: MPI read 1 50 */
  MPI_File_close(&file); /* site: MPI close 1 0 */
  MPI_Finalize();
  return 0;
}
