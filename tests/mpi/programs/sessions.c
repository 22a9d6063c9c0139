/* The sessions model: no MPI_Init, no MPI_COMM_WORLD. The file is written with POSIX: MPICH 4.0 has no MPI-IO then. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char path[1024], data[300] = {0};
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank;
  if (argc < 2 || MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return 2;
  if (MPI_Group_from_session_pset(session, "mpi://WORLD", &group) != MPI_SUCCESS) return 3;
  if (MPI_Comm_create_from_group(group, "trikal.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) != MPI_SUCCESS)
    return 4;
  MPI_Comm_rank(comm, &rank);
  snprintf(path, sizeof path, "%s/session.dat", argv[1]);
  const int file = open(path, O_CREAT | O_WRONLY, 0644);
  if (file < 0 || pwrite(file, data, sizeof data, rank * 300) != 300) return 5;
  close(file);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  return MPI_Session_finalize(&session);
}
