program transfers
  use mpi_f08
  implicit none
  integer :: rank, buf(100)
  type(MPI_File) :: fh
  type(MPI_Request) :: req
  type(MPI_Status) :: stat
  integer(kind=MPI_OFFSET_KIND) :: off
  character(len=512) :: path
  call get_command_argument(1, path)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  buf = rank
  call MPI_File_open(MPI_COMM_WORLD, trim(path)//'/fortran.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, fh)
  off = rank*400
  call MPI_File_write_at(fh, off, buf, 100, MPI_INTEGER, stat)
  call MPI_File_iwrite_at(fh, off, buf, 100, MPI_INTEGER, req)
  call MPI_Wait(req, MPI_STATUS_IGNORE)
  call MPI_File_write_at_all(fh, off, buf, 50, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_read_at(fh, off, buf, 10, MPI_INTEGER, stat)
  call MPI_File_close(fh)
  call MPI_Finalize()
end program
