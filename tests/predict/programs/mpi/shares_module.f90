! Each rank writes its share of a file, all together and alone, through a view and with a type of its own; then reads.
program shares
  use mpi
  implicit none
  integer :: rank, ranks, failed, file, status(MPI_STATUS_SIZE), request, step, steps, row, numbers(100)
  integer(kind=MPI_OFFSET_KIND) :: at, size
  real(8) :: part(512)
  character(len=16) :: word
  call MPI_Init(failed)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, failed)
  call get_command_argument(1, word)
  read (word, *) steps
  part = rank
  numbers = rank
  call MPI_Type_contiguous(16, MPI_DOUBLE_PRECISION, row, failed)
  call MPI_Type_commit(row, failed)
  call MPI_File_open(MPI_COMM_WORLD, 'shares.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, failed)
  if (failed /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 1, failed)
  do step = 0, steps - 1
    at = (int(step, MPI_OFFSET_KIND) * ranks + rank) * 4096
    call MPI_File_write_at_all(file, at, part, 512, MPI_DOUBLE_PRECISION, status, failed)
    if (mod(rank, 2) == 1 .or. step == 0) call MPI_File_write_at(file, at, numbers, 50 + rank, MPI_INTEGER, status, failed)
  end do
  call MPI_File_iwrite_at(file, at, part, 4, row, request, failed)
  call MPI_Wait(request, status, failed)
  call MPI_File_sync(file, failed)
  call MPI_Barrier(MPI_COMM_WORLD, failed)
  call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, part, 512, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, failed)
  call MPI_File_get_size(file, size, failed)
  if (rank == 0 .and. size > 0) then
    do step = 1, 5
      call MPI_File_read_at(file, int(64 * step, MPI_OFFSET_KIND), numbers, 16, MPI_INTEGER, status, failed)
    end do
  end if
  call MPI_File_close(file, failed)
  call MPI_File_open(MPI_COMM_SELF, 'own'//char(48 + rank), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, failed)
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, failed)
  do step = 1, steps
    call MPI_File_write(file, numbers, 10, MPI_INTEGER, status, failed)
  end do
  call MPI_File_close(file, failed)
  call MPI_Type_free(row, failed)
  call MPI_Finalize(failed)
end program
