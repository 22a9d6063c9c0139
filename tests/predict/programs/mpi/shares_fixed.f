C     The same as programs were written before there were modules.
      program shares
      implicit none
      include 'mpif.h'
      integer rank, ranks, failed, file, step, steps, i
      integer status(MPI_STATUS_SIZE), numbers(100)
      integer(kind=MPI_OFFSET_KIND) at
      double precision part(512), begun
      character*16 word
      call MPI_INIT(failed)
      begun = MPI_WTIME()
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, failed)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, failed)
      call getarg(1, word)
      read (word, *) steps
      do 10 i = 1, 512
        part(i) = rank
   10 continue
      do 20 i = 1, 100
        numbers(i) = i
   20 continue
      call MPI_FILE_OPEN(MPI_COMM_WORLD, 'shares.dat',
     &  MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, failed)
      do 30 step = 0, steps - 1
        at = step
        at = (at * ranks + rank) * 4096
        call MPI_FILE_WRITE_AT_ALL(file, at, part, 512,
     &    MPI_DOUBLE_PRECISION, status, failed)
        if (mod(rank, 2) .eq. 1) call MPI_FILE_WRITE_AT(file, at,
     &    numbers, 50 + rank, MPI_INTEGER, status, failed)
   30 continue
      call MPI_BARRIER(MPI_COMM_WORLD, failed)
      at = 0
      call MPI_FILE_READ_AT_ALL(file, at, part, 512,
     &  MPI_DOUBLE_PRECISION, status, failed)
      call MPI_FILE_CLOSE(file, failed)
      call MPI_FINALIZE(failed)
      end
