/* What the runtime takes for granted of an MPI it has no header of, as this header has it. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
#if defined(OMPI_MPI_H)
  _Static_assert(sizeof(MPI_Request) == 8 && sizeof(MPI_Datatype) == 8 && sizeof(MPI_Info) == 8, "handles");
  _Static_assert(sizeof(MPI_Status) <= 64 && sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8, "sizes");
  extern struct ompi_predefined_communicator_t ompi_mpi_comm_world;
  extern struct ompi_predefined_datatype_t ompi_mpi_byte;
  extern struct ompi_predefined_info_t ompi_mpi_info_null;
  extern struct ompi_predefined_request_t ompi_request_null;
  if ((void*)MPI_COMM_WORLD != (void*)&ompi_mpi_comm_world || (void*)MPI_BYTE != (void*)&ompi_mpi_byte) return 1;
  if ((void*)MPI_INFO_NULL != (void*)&ompi_mpi_info_null) return 2;
  if ((void*)MPI_REQUEST_NULL != (void*)&ompi_request_null) return 3;
  if (MPI_STATUS_IGNORE != NULL) return 4;
  extern struct ompi_predefined_errhandler_t ompi_mpi_errors_return;
  if ((void*)MPI_ERRORS_RETURN != (void*)&ompi_mpi_errors_return) return 5;
  puts("openmpi");
#elif defined(MPICH_VERSION)
  _Static_assert(sizeof(MPI_Request) == 4 && sizeof(MPI_Datatype) == 4 && sizeof(MPI_Info) == 4, "handles");
  _Static_assert(sizeof(MPI_Status) <= 64 && sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8, "sizes");
  _Static_assert(MPI_COMM_WORLD == 0x44000000 && MPI_BYTE == 0x4c00010d, "world and byte");
  _Static_assert(MPI_INFO_NULL == 0x1c000000 && MPI_REQUEST_NULL == 0x2c000000, "nothing");
  _Static_assert(MPI_ERRORS_RETURN == 0x54000001, "errors");
  if (MPI_STATUS_IGNORE != (MPI_Status*)1) return 4;
  puts("mpich");
#endif
  _Static_assert(MPI_MODE_CREATE == 1 && MPI_MODE_RDONLY == 2 && MPI_MODE_WRONLY == 4 && MPI_MODE_RDWR == 8, "modes");
  return 0;
}
