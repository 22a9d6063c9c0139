      program transfers
      implicit none
      include 'mpif.h'
      integer ierr, fh, rank, req, buf(100)
      integer (kind=MPI_OFFSET_KIND) off
      integer stat(MPI_STATUS_SIZE)
      character*512 path
      call get_command_argument(1, path)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      buf = rank
      call MPI_FILE_OPEN(MPI_COMM_WORLD, trim(path)//'/fortran.dat',
     +  MPI_MODE_CREATE+MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierr)
      off = rank * 400
      call MPI_FILE_WRITE_AT(fh, off, buf, 100, MPI_INTEGER, stat, ierr)
      call MPI_FILE_IWRITE_AT(fh, off, buf, 100, MPI_INTEGER, req, ierr)
      call MPI_WAIT(req, MPI_STATUS_IGNORE, ierr)
      call MPI_FILE_WRITE_AT_ALL(fh, off, buf, 50, MPI_INTEGER,
     +  MPI_STATUS_IGNORE, ierr)
      call MPI_FILE_READ_AT(fh, off, buf, 10, MPI_INTEGER, stat, ierr)
      call MPI_FILE_CLOSE(fh, ierr)
      call MPI_FINALIZE(ierr)
      end
