/* Three ranks write, wait for each other, and then the second ends in some way. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static char path[4096], data[1000];

static const char* in(const char* directory, const char* name, int rank) {
  snprintf(path, sizeof path, name, directory, rank);
  return path;
}

static void write_files(const char* directory, int rank) {
  MPI_File file;
  const int own = open(in(directory, "%s/own.%d", rank), O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (own < 0 || write(own, data, 1000) != 1000) MPI_Abort(MPI_COMM_WORLD, 90);
  close(own);
  if (MPI_File_open(MPI_COMM_WORLD, in(directory, "%s/shared", 0), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                    &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 91);
  MPI_File_write_at(file, rank * 500, data, 500, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* While the job runs: what cannot become a log from the beginning is told before. */
static void spoil_log_directory(const char* directory, const char* how) {
  const char* logs = in(directory, "%s/logs", 0);
  if (strcmp(how, "missing") == 0) rmdir(logs);
  if (strcmp(how, "readonly") == 0) mount(NULL, logs, NULL, MS_REMOUNT | MS_RDONLY, NULL);
}

int main(int argc, char** argv) {
  int rank;
  if (argc < 3) return 2;
  const char* how = argv[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  write_files(argv[1], rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) spoil_log_directory(argv[1], how);
  if (rank != 1 && strcmp(how, "exit") == 0) { /* would go on for long */
    for (;;) pause();
  }
  if (rank == 1) {
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "exit") == 0) exit(5);
    if (strcmp(how, "stuck") == 0) {
      close(open(in(argv[1], "%s/ready", 0), O_CREAT | O_WRONLY, 0644));
      for (;;) pause();
    }
  }
  MPI_Finalize();
  return 0;
}
