// Opens, writes and closes files whose names have a colon in them, and removes them at the end. Prints those that opened.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (chdir(argv[1]) != 0) return 2;
  for (int i = 2; i < argc; ++i) {
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, argv[i], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
      continue;
    MPI_File_write(file, "hello", 5, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    printf("%s\n", argv[i]);
  }
  MPI_Finalize();
  return 0;
}
