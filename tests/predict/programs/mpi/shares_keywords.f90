! Arguments by keyword, in any order: with the module mpi where both MPIs have names for them, else with that of 2008.
program shares
  use mpi
  implicit none
  integer :: ierr, rank, ranks, steps
  character(len=16) :: word
  call MPI_Init(ierror=ierr)
  call MPI_Comm_rank(rank=rank, ierror=ierr, comm=MPI_COMM_WORLD)
  call MPI_Comm_size(MPI_COMM_WORLD, size=ranks, ierror=ierr)
  call get_command_argument(1, word)
  read (word, *) steps
  call put(rank, ranks, steps)
  call MPI_Barrier(ierror=ierr, comm=MPI_COMM_WORLD)
  call get(rank)
  call MPI_Finalize(ierr)
end program

subroutine put(rank, ranks, steps)
  use mpi_f08
  implicit none
  integer, intent(in) :: rank, ranks, steps
  type(MPI_File) :: file
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer :: step, numbers(100), ierr
  integer(kind=MPI_OFFSET_KIND) :: at
  real(8) :: part(512), first
  part = rank
  first = part(1)
  numbers = rank
  call MPI_File_open(comm=MPI_COMM_WORLD, amode=MPI_MODE_CREATE + MPI_MODE_RDWR, info=MPI_INFO_NULL, &
                     filename='shares.dat', fh=file, ierror=ierr)
  do step = 0, steps - 1
    at = (int(step, MPI_OFFSET_KIND) * ranks + rank) * 4096
    call MPI_File_write_at_all(file, at, part, count=512, datatype=MPI_DOUBLE_PRECISION, &
                               ierror=ierr, status=MPI_STATUS_IGNORE)
    if (mod(rank, 2) == 1 .or. step == 0) &
      call MPI_File_write_at(file, at, numbers(1:99:2), 50, MPI_INTEGER, status, ierr)
  end do
  call MPI_File_iwrite_at(file, at, first, 1, MPI_DOUBLE_PRECISION, request=request)
  call MPI_Wait(request, status=status, ierror=ierr)
  call MPI_File_sync(fh=file, ierror=ierr)
  call MPI_File_close(file)
end subroutine

subroutine get(rank)
  use mpi_f08
  implicit none
  integer, intent(in) :: rank
  integer :: numbers(16)
  type(MPI_File) :: file
  call MPI_File_open(MPI_COMM_WORLD, 'shares.dat', info=MPI_INFO_NULL, amode=MPI_MODE_RDONLY, fh=file)
  if (rank == 0) call MPI_File_read_at(file, buf=numbers, offset=64_MPI_OFFSET_KIND, datatype=MPI_INTEGER, &
                                       count=16, status=MPI_STATUS_IGNORE)
  call MPI_File_close(fh=file)
end subroutine
