program transfers
  use mpi
  implicit none
  integer :: ierr, fh, rank, req, buf(100), stat(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: off
  character(len=512) :: path
  call get_command_argument(1, path)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  buf = rank
  call MPI_File_open(MPI_COMM_WORLD, trim(path)//'/fortran.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierr)
  off = rank*400
  call MPI_File_write_at(fh, off, buf, 100, MPI_INTEGER, stat, ierr)
  call MPI_File_iwrite_at(fh, off, buf, 100, MPI_INTEGER, req, ierr)
  call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
  call MPI_File_write_at_all(fh, off, buf, 50, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_read_at(fh, off, buf, 10, MPI_INTEGER, stat, ierr)
  call MPI_File_close(fh, ierr)
  call MPI_Finalize(ierr)
end program
