! The same with the module of 2008: handles have types, and nobody asks what failed.
program shares
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Datatype) :: row
  integer :: rank, ranks, step, steps, numbers(100)
  integer(kind=MPI_OFFSET_KIND) :: at
  real(8) :: part(512)
  character(len=16) :: word
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call get_command_argument(1, word)
  read (word, *) steps
  part = rank
  numbers = rank
  call MPI_Type_contiguous(16, MPI_DOUBLE_PRECISION, row)
  call MPI_Type_commit(row)
  call MPI_File_open(MPI_COMM_WORLD, 'shares.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
  do step = 0, steps - 1
    at = (int(step, MPI_OFFSET_KIND) * ranks + rank) * 4096
    call MPI_File_write_at_all(file, at, part, 512, MPI_DOUBLE_PRECISION, status)
    if (mod(rank, 2) == 1 .or. step == 0) call MPI_File_write_at(file, at, numbers, 50 + rank, MPI_INTEGER, status)
  end do
  call MPI_File_iwrite_at(file, at, part, 4, row, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, part, 512, MPI_DOUBLE_PRECISION, status)
  if (rank == 0) then
    do step = 1, 5
      call MPI_File_read_at(file, int(64 * step, MPI_OFFSET_KIND), numbers, 16, MPI_INTEGER, status)
    end do
  end if
  call MPI_File_close(file)
  call MPI_Finalize()
end program
